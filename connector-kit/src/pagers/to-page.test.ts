import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ConnectorError } from "../errors.ts";
import type { Io } from "../io.ts";
import { toPage } from "./to-page.ts";

type Row = () => string | Promise<string>;

const later = async (record: string) => {
  await sleep(1);
  return record;
};
const skipped = () => {
  throw new ConnectorError({ recovery: "skip-record", code: "odd", message: "Odd." });
};
const read = (rows: readonly Row[]) =>
  toPage({ key: (row: Row) => rows.indexOf(row), toRecord: (row) => row() }, {} as Io, rows, null);

test("records stay in order, whether they are there at once, later or not at all", async () => {
  const { records, unreadable } = await read([
    () => later("a"),
    () => "b",
    skipped,
    async () => skipped(),
    () => later("c"),
  ]);
  expect(records).toEqual(["a", "b", "c"]);
  expect(unreadable?.map(({ id, code }) => [id, code])).toEqual([
    ["2", "odd"],
    ["3", "odd"],
  ]);
});

test("an error that ends the page leaves no other error unheard, which would end the process", async () => {
  const failed = read([
    async () => {
      await sleep(5);
      throw new Error("later");
    },
    () => {
      throw new TypeError("at once");
    },
  ]);
  await expect(failed).rejects.toThrow("at once");
  // Until the other one has failed, too: the runner reports what nothing listens to.
  await sleep(20);
});
