import { importIdPattern } from "@portage/contract";
import { expect, test } from "vitest";
import { newId, randomBase62 } from "./ids.ts";

test("ids have the documented form, sort by time, and are unique", () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => newId("imp", 1_700_000_000_000 + n));
  for (const id of ids) expect(id).toMatch(importIdPattern);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 10_000 }, () => newId("imp", 0))).size).toBe(10_000);
});

test("random base62 uses every character", () => {
  expect(new Set(randomBase62(10_000)).size).toBe(62);
  expect(randomBase62(40)).toMatch(/^[0-9A-Za-z]{40}$/);
});
