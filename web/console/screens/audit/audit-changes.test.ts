import { expect, test } from "vitest";
import { changesBetween } from "./audit-changes.ts";

test("only what differs is listed, also within groups", () => {
  const before = { name: "Acme", branding: { color: "#111111", help_url: null }, sources: ["a"], days: 30 };
  const after = {
    name: "Acme",
    branding: { color: "#222222", help_url: null },
    sources: ["a", "b"],
    days: 30,
  };
  expect(changesBetween(before, after)).toEqual([
    { field: "branding.color", before: "#111111", after: "#222222" },
    { field: "sources", before: '["a"]', after: '["a","b"]' },
  ]);
});

test("what is new has no value before, and what was removed none after", () => {
  expect(changesBetween(null, { label: "ci", revoked_at: null })).toEqual([
    { field: "label", before: null, after: "ci" },
  ]);
  expect(changesBetween({ color: "#111111" }, { color: null })).toEqual([
    { field: "color", before: "#111111", after: null },
  ]);
  expect(changesBetween(null, null)).toEqual([]);
});
