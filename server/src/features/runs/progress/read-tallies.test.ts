import { expect, test } from "vitest";
import { createTallies } from "../chunk/tallies.ts";
import { readTallies } from "./read-tallies.ts";

const shortened = { field: "subject", change: "truncated", why: "too long" } as const;
const converted = { field: "status", change: "converted", why: "has no such word" } as const;

test("a record that is written again is not counted as another changed record", () => {
  const book = createTallies({});
  for (let record = 0; record < 5; record += 1) book.changes([shortened], false);
  // Its links are rewritten, and then it changes in the source.
  book.changes([shortened], true);
  book.changes([shortened], true);
  const read = readTallies(book.all());
  expect(read.changes).toEqual([{ ...shortened, count: 5 }]);
  expect(read.changedRecords("truncated")).toEqual({ created: 5, again: 2 });
});

test("what only rewritten records met is counted by them", () => {
  const book = createTallies({});
  book.changes([shortened], false);
  book.changes([shortened, converted], true);
  expect(readTallies(book.all()).changes).toEqual([
    { ...shortened, count: 1 },
    { ...converted, count: 1 },
  ]);
  expect(readTallies(book.all()).changedRecords("converted")).toEqual({ created: 0, again: 1 });
});
