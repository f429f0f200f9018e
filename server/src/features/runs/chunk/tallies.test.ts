import { expect, test } from "vitest";
import { foldRun } from "../progress/fold-run.ts";
import { readTallies } from "../progress/read-tallies.ts";
import { createTallies } from "./tallies.ts";

const cleared = (field: string) => ({ field, change: "cleared" as const, why: "There is none." });

test("a record counts once, however many of its fields changed", () => {
  const book = createTallies({});
  book.changes([cleared("dueAt"), cleared("type"), { ...cleared("status"), change: "converted" }], false);
  book.changes([cleared("dueAt")], true);
  const read = readTallies(book.all());
  expect(read.changedRecords("cleared")).toEqual({ created: 1, again: 1 });
  expect(read.changedRecords("converted")).toEqual({ created: 1, again: 0 });
  expect(read.changedRecords("truncated")).toEqual({ created: 0, again: 0 });
  expect(read.changes.find(({ field }) => field === "dueAt")?.count).toBe(1);
});

test("counts from before the kinds were distinguished are not lost", () => {
  const read = readTallies({ "change|dueAt|cleared|x": 7, "change|type|cleared|x": 3 });
  expect(read.changedRecords("cleared")).toEqual({ created: 7, again: 0 });
});

test("a record that a later run writes again is counted once", () => {
  const none = { items: {}, people: { source: 0, destination: 0, matched: 0 }, findings: [] };
  const groups = [{ stream: "tickets", task: "copy" }];
  const run = (isAgain: boolean, records: number) => {
    const book = createTallies({});
    for (let index = 0; index < records; index += 1) book.changes([cleared("dueAt")], isAgain);
    const tallies = [{ stream: "tickets", task: "copy", tallies: book.all() }];
    return { kind: "sample", family: "helpdesk", ended: false, groups, tallies } as never;
  };
  const countIn = ({ findings }: ReturnType<typeof foldRun>) =>
    findings.find(({ code }) => code === "field_cleared")?.count;
  const first = foldRun(none, run(false, 18));
  expect(countIn(first)).toBe(18);
  const again = foldRun(first, run(true, 18));
  expect(countIn(again)).toBe(18);
  expect(countIn(foldRun(again, run(false, 40)))).toBe(58);
  expect(countIn(foldRun(none, run(true, 5)))).toBe(5);
});
