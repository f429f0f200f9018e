import { expect, test } from "vitest";
import { foreignId } from "./foreign-id.ts";

test("an id of another system stays; the key of a copy is none", () => {
  expect(foreignId("customer-7")).toBe("customer-7");
  expect(foreignId("erp:42")).toBe("erp:42");
  const digest = `erp:${"0a".repeat(16)}`;
  expect(foreignId(digest)).toBe(digest);
  expect(foreignId(`imp_01k9z3f2p8:${"0a".repeat(16)}`)).toBeNull();
  expect(foreignId("")).toBeNull();
  expect(foreignId(undefined)).toBeNull();
});
