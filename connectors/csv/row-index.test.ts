import { tmpdir } from "node:os";
import { familyStreams } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import type { StoredFile } from "./file-store.ts";
import { openTable } from "./open-table.ts";
import type { TableRow } from "./csv-rows.ts";
import { createRowEntries } from "./row-entries.ts";
import { buildRowIndex } from "./row-index.ts";
import { csvSettings } from "./settings.ts";
import { memoryFile, memoryStore } from "./testing/folder-store.ts";
import { columns, good, header, open } from "./testing/tickets.ts";
import { writeCsv } from "./testing/write-csv.ts";
import { writeXlsx } from "./testing/write-xlsx.ts";
import { createRecordMaker } from "./to-record.ts";

const ids = Array.from({ length: 3_000 }, (_, index) => `T-${index}`);
/** Rows of different lengths, with quoted line breaks and a blank row. */
const rows = ids.flatMap((id, index) => {
  const [, , ...rest] = good(id);
  const row = [id, `Line one,\n"line ${"x".repeat(index % 700)}"`, ...rest];
  return index % 500 === 7 ? [row, ["", "", "", "", ""]] : [row];
});

const counted = (file: StoredFile) => {
  let bytes = 0;
  return {
    file: {
      size: file.size,
      async *openAt(offset: number) {
        for await (const piece of file.openAt(offset)) {
          bytes += piece.length;
          yield piece;
        }
      },
    },
    bytes: () => bytes,
  };
};

describe.each([
  ["CSV", writeCsv([header, ...rows], { encoding: "utf-16le", bom: true })],
  ["Excel", writeXlsx([header, ...rows])],
])("records of %s by their ids", (format, bytes) => {
  test("come right, whatever their order, and the file is not read again for each", async () => {
    const { file, bytes: read } = counted(memoryFile(bytes));
    const { stream, io } = open({ files: memoryStore({ f1: file }) });
    await stream.readByIds(io, ["T-0"]);
    const once = read();
    for (const wanted of [
      ["T-2999", "T-1", "T-1500", "missing"],
      ["T-2"],
      ids.slice(700, 720).toReversed(),
    ]) {
      const found = await stream.readByIds(io, wanted);
      expect(found.map(({ id }) => id).toSorted()).toEqual(
        wanted.filter((id) => id !== "missing").toSorted(),
      );
      for (const { id, ...record } of found)
        expect((record as unknown as { subject: string }).subject).toContain(
          `line ${"x".repeat(ids.indexOf(id) % 700)}"`,
        );
    }
    // Excel's rows are in a temporary file by now.
    expect(read() - once).toBeLessThan(format === "CSV" ? once : 1);
  });
});

test("a caller that gives up does not end the index for others who wait for it", async () => {
  const { promise: reading, resolve: begun } = Promise.withResolvers<void>();
  const { promise: goesOn, resolve: release } = Promise.withResolvers<void>();
  const whole = memoryFile(writeCsv([header, ...rows]), 10_000);
  let isSlow = true;
  const file = {
    size: whole.size,
    async *openAt(offset: number) {
      for await (const piece of whole.openAt(offset)) {
        yield piece;
        if (offset === 0 || !isSlow) continue;
        isSlow = false;
        begun();
        await goesOn;
      }
    },
  };
  const { stream, io } = open({ files: memoryStore({ f1: file }) });
  const leaving = new AbortController();
  const first = stream.readByIds({ ...io, signal: leaving.signal }, ["T-1"]);
  await reading;
  const others = ["T-2", "T-3"].map((id) => stream.readByIds(io, [id]));
  leaving.abort(new Error("The first caller leaves."));
  release();
  await expect(first).rejects.toThrow("The first caller leaves.");
  expect((await Promise.all(others)).flat().map(({ id }) => id)).toEqual(["T-2", "T-3"]);
});

const ticketsIn = async (file: StoredFile) => {
  const choice = csvSettings.parse({ files: { tickets: { file: "f1", columns } } }).files["tickets"];
  const stream = familyStreams.helpdesk.find(({ name }) => name === "tickets");
  if (!choice || !stream) throw new Error("no tickets");
  const opened = await openTable(stream, file, choice);
  const maker = createRecordMaker(stream, choice, "UTC");
  const { signal } = new AbortController();
  return (held: number) => buildRowIndex(opened, choice, maker, { tempFolder: tmpdir(), signal, held });
};

describe("a table with more rows than memory may hold", () => {
  // The first and the last row have the same key; so have two in the middle.
  const doubled = [...rows.slice(0, 2_000), good("T-1999"), ...rows.slice(2_000), good("T-0")];
  test.each([
    ["CSV", writeCsv([header, ...doubled])],
    ["Excel", writeXlsx([header, ...doubled])],
  ])("is found by its keys all the same: %s", async (_, bytes) => {
    const file = memoryFile(bytes);
    const built = await ticketsIn(file);
    const [held, spilled] = [await built(4_000), await built(500)];
    const keyOf = ({ cells: [key = ""] }: TableRow) => key;
    const before = (index: typeof held, row: number) =>
      index.findFirst(file, ["T-0", "T-1", "T-1999", "none"], { from: 0, to: row }, keyOf);
    expect(await before(spilled, 1_000_000)).toEqual(await before(held, 1_000_000));
    expect((await before(spilled, 1_000_000)).get("T-0")).toBe(2);
    expect([...(await before(spilled, 3))]).toEqual([["T-0", 2]]);
    const after = (index: typeof held) =>
      index.findFirst(file, ["T-0", "T-1999", "T-1"], { from: 1_000, to: 1_000_000 }, keyOf);
    expect(await after(spilled)).toEqual(await after(held));
    expect([...(await after(spilled)).keys()].toSorted()).toEqual(["T-0", "T-1999"]);
    const found: string[] = [];
    for await (const some of spilled.read(file, ["T-2999", "T-7", "T-1999"]))
      found.push(...some.map(({ cells: [key = ""] }) => key).filter((key) => /^T-(2999|7|1999)$/.test(key)));
    expect(found).toEqual(["T-7", "T-1999", "T-1999", "T-2999"]);
    for (const index of [held, spilled]) index.close();
  });
});

test("a key that no row has in the way that counts is looked for in one pass over the file", async () => {
  const same = Array.from({ length: 3_000 }, () => good("T-1"));
  const { file, bytes } = counted(memoryFile(writeCsv([header, ...same])));
  const index = await (await ticketsIn(file))(1_000);
  const before = bytes();
  expect(await index.findFirst(file, ["T-1"], { from: 0, to: 10_000 }, () => null)).toEqual(new Map());
  expect(bytes() - before).toBeLessThan(file.size * 2);
  index.close();
});

test("a key that every row repeats is no slower to index than others, and each row comes once", () => {
  const entries = createRowEntries({ tempFolder: tmpdir() });
  // If each of them looked for a free slot, that would be half a million steps for each: this would not end.
  for (let row = 1; row <= 1_000_000; row += 1) entries.add(row === 7 ? "T-7" : "T-1", row * 10, row);
  entries.seal();
  const rowsOf = (...keys: string[]) => [...entries.find(keys)].map(({ row }) => row);
  const all = rowsOf("T-1", "none", "T-1");
  expect(all).toHaveLength(999_999);
  expect(all.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 8, 9]);
  expect([...entries.find(["T-7"])]).toEqual([{ entry: 6, start: 70, row: 7 }]);
  expect(rowsOf("none")).toEqual([]);
  const first = entries.nextOf("T-1");
  expect([first?.row, entries.nextOf("T-1", first)?.row]).toEqual([1, 2]);
  const other = entries.nextOf("T-7");
  expect([other?.row, entries.nextOf("T-7", other), entries.nextOf("none")]).toEqual([
    7,
    undefined,
    undefined,
  ]);
});
