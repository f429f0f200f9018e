import { expect, test } from "vitest";
import { changedFields } from "./changed-fields.ts";

const before: Parameters<typeof changedFields>[0] = {
  color: "#1d4ed8",
  help_url: null,
  embed_origins: ["https://a.example", "https://b.example"],
};

test("only what a person changed is sent, so that what others set meanwhile stays", () => {
  expect(
    changedFields(before, { ...before, embed_origins: ["https://a.example", "https://b.example"] }),
  ).toEqual({});
  expect(changedFields(before, { ...before, color: "#000000" })).toEqual({ color: "#000000" });
});

test("what was removed is sent as such", () => {
  expect(changedFields(before, { ...before, color: null })).toEqual({
    color: null,
  });
  expect(changedFields(before, { ...before, embed_origins: ["https://b.example"] })).toEqual({
    embed_origins: ["https://b.example"],
  });
  expect(changedFields(before, { ...before, embed_origins: [] })).toEqual({ embed_origins: [] });
});
