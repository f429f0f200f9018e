import { tmpdir } from "node:os";
import { familyStreams } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import type { StoredFile } from "./file-store.ts";
import { openTable } from "./open-table.ts";
import { buildRowIndex, createEntries } from "./row-index.ts";
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

const ticketsIn = async (file: StoredFile) => {
  const choice = csvSettings.parse({ files: { tickets: { file: "f1", columns } } }).files["tickets"];
  const stream = familyStreams.helpdesk.find(({ name }) => name === "tickets");
  if (!choice || !stream) throw new Error("no tickets");
  const opened = await openTable(stream, file, choice, tmpdir());
  const maker = createRecordMaker(stream, choice, "UTC");
  const { signal } = new AbortController();
  return (limit: number) => buildRowIndex(opened, choice, maker, { tempFolder: tmpdir(), signal, limit });
};

test("a table with more rows than an index may have is read from its start", async () => {
  const built = await ticketsIn(memoryFile(writeCsv([header, ...rows])));
  expect(await built(2_000)).toBeNull();
  expect(await built(4_000)).not.toBeNull();
});

test("a key that every row repeats is no slower to index than others, and each row comes once", () => {
  const entries = createEntries();
  // If each of them looked for a free slot, that would be half a million steps for each: this would not end.
  for (let row = 1; row <= 1_000_000; row += 1) entries.add(row === 7 ? "T-7" : "T-1", row * 10, row);
  entries.seal();
  const rowsOf = (...keys: string[]) => [...entries.find(keys)].map(({ row }) => row);
  const all = rowsOf("T-1", "none", "T-1");
  expect(all).toHaveLength(999_999);
  expect(all.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 8, 9]);
  expect([...entries.find(["T-7"])]).toEqual([{ entry: 6, start: 70, row: 7 }]);
  expect(rowsOf("none")).toEqual([]);
});
