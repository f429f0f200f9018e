import { expect, test } from "vitest";
import { compareCopies, type Copy } from "./compare-copies.ts";

const row = (id: string, tags: readonly string[] = [], seenSince = 0) => ({ id, tags, seenSince });
const copy = (sourceId: string | null, more: Partial<Copy> = {}): Copy => ({
  key: `k${sourceId}`,
  sourceId,
  text: "Imported",
  madeAt: 1,
  ...more,
});
const counts = (...given: Parameters<typeof compareCopies>) => {
  const { missing, doubled, gone, stale, differing } = compareCopies(...given);
  return { missing, doubled, gone, stale, differing };
};
const fine = { missing: 0, doubled: 0, gone: 0, stale: 0, differing: 0 };

test("accepts one copy of each row", () => {
  expect(counts([row("1"), row("2")], [copy("1"), copy("2")], null)).toEqual(fine);
});

test("reports two copies with one key, and two copies of one row with different keys", () => {
  const rows = [row("1"), row("2")];
  expect(counts(rows, [copy("1"), copy("1"), copy("2")], null)).toEqual({ ...fine, doubled: 1 });
  expect(counts(rows, [copy("1"), copy("1", { key: "other" }), copy("2")], null)).toMatchObject({
    doubled: 1,
  });
  expect(counts(rows, [copy("1"), copy("2", { key: "k1" })], null)).toMatchObject({ doubled: 1 });
  expect(compareCopies(rows, [copy("1"), copy("1", { madeAt: 5 })], null).doubledAt).toEqual({ 1: [1, 5] });
});

test("reports a row without a copy, unless the row appeared during the run", () => {
  expect(counts([row("1"), row("2", [], 500)], [], null)).toMatchObject({ missing: 2 });
  expect(counts([row("1"), row("2", [], 500)], [], 400)).toMatchObject({ missing: 1 });
});

test("reports a copy with only a key or only a row number; rows with neither existed before", () => {
  const rows = [row("1")];
  expect(counts(rows, [copy("1", { key: null })], null)).toEqual({ ...fine, differing: 1 });
  expect(counts(rows, [copy("1"), copy(null, { key: "k" })], null)).toMatchObject({ differing: 1, gone: 1 });
  expect(counts(rows, [copy("1"), copy(null, { key: null })], null)).toEqual(fine);
});

test("reports a copy without the last edit of its row as stale", () => {
  const rows = [row("1", ["edit-3"])];
  expect(counts(rows, [copy("1", { text: "Tags: edit-31" })], null)).toEqual({ ...fine, stale: 1 });
  expect(counts(rows, [copy("1", { text: "Tags: edit-3 (portage:k1)" })], null)).toEqual(fine);
});
