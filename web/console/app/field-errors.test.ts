import { expect, test } from "vitest";
import { errorAt, errorsBeside } from "./field-errors.ts";

const errors = {
  color: ["must be a color such as #0b6580"],
  "embed_origins.0": ["must be an origin"],
  "embed_origins.2": ["must be an origin"],
  kind: ["is not known"],
  base: ["needs one of them"],
};

test("an error is at its field, and that of an item at its list", () => {
  expect(errorAt(errors, "color")).toBe("must be a color such as #0b6580");
  expect(errorAt(errors, "embed_origins")).toBe("must be an origin");
  expect(errorAt(errors, "embed")).toBeUndefined();
});

test("no error gets lost: those without a field are told beside the form", () => {
  expect(errorsBeside(errors, ["color", "embed_origins"])).toBe("kind is not known; needs one of them");
  expect(errorsBeside({ color: ["x"] }, ["color"])).toBe("");
});
