import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cursor } from "@portage/connector-kit";
import { createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkFiles } from "./check-files.ts";
import { createCsv } from "./csv.ts";
import type { StoredFile } from "./file-store.ts";
import { inspectFiles } from "./inspect-files.ts";
import { readTop } from "./inspect-table.ts";
import { csvSettings } from "./settings.ts";
import { memoryFile, memoryStore } from "./testing/folder-store.ts";
import { column, columns, good, header, open, transport } from "./testing/tickets.ts";
import { bookParts, writeXlsx } from "./testing/write-xlsx.ts";
import { writeZip } from "./testing/write-zip.ts";
import { firstSheetRows } from "./xlsx/first-rows.ts";
import { chooseSheet, openWorkbook } from "./xlsx/workbook.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "portage-sheets-test-"));
});
afterAll(async () => {
  await transport.close();
  await rm(folder, { recursive: true });
});

describe("sheets", () => {
  const counting = (bytes: Uint8Array) => {
    let bytesRead = 0;
    const file = memoryFile(bytes, 4096);
    const counted: StoredFile = {
      size: file.size,
      async *openAt(offset) {
        for await (const piece of file.openAt(offset)) {
          bytesRead += piece.length;
          yield piece;
        }
      },
    };
    return { files: memoryStore({ f1: counted }), read: () => bytesRead };
  };
  const bytes = writeXlsx([
    header,
    ...Array.from({ length: 3000 }, (_, index) => good(`${index}-${Math.sin(index)}`)),
  ]);

  test("reading page after page unpacks a sheet once, and once for its keys; seeking costs the same", async () => {
    const { files, read: bytesRead } = counting(bytes);
    const { read } = open({ files, rows: 100 });
    let page = await read();
    const ids = page.records.map(({ id }) => id);
    const after = [bytesRead()];
    const cursors: Cursor[] = [];
    while (page.next !== null) {
      cursors.push(page.next);
      page = await read(page.next);
      ids.push(...page.records.map(({ id }) => id));
      after.push(bytesRead());
    }
    expect(ids).toHaveLength(3000);
    const [one = 0, two = 0] = after;
    // The second page asks for the keys of the first: the archive's parts are looked up anew, each in the last 64 KB, and the header is
    // read by itself, with what streams read ahead.
    expect(two - one).toBeLessThan(bytes.length * 1.5 + 800_000);
    expect(bytesRead() - two).toBeLessThan(bytes.length * 1.5);
    const before = bytesRead();
    const again = await open({ files, rows: 100 }).read(cursors[20]);
    expect(again.records.map(({ id }) => id)).toEqual(ids.slice(2100, 2200));
    // One for its rows and one for the keys before it; the archive's parts are looked up for each.
    expect(bytesRead() - before).toBeLessThan(bytes.length * 2 + 800_000);
  });

  describe("a look at the first rows", () => {
    const many = Array.from({ length: 3_000 }, (_, row) => [`T-${row}`, `Subject ${Math.sin(row)}`, "open"]);
    const look = writeXlsx([["ID", "Subject", "Status"], ...many]);

    test("needs no temporary file, however many texts the sheet has", async () => {
      vi.stubEnv("TMPDIR", "/no/such/folder");
      onTestFinished(() => void vi.unstubAllEnvs());
      const stored = memoryFile(look);
      const [inspected] = await inspectFiles("helpdesk", [{ file: "f", name: "tickets.xlsx", stored }]);
      expect(inspected).toMatchObject({ stream: "tickets", header: ["ID", "Subject", "Status"] });
      expect(inspected?.preview[2]).toEqual(["T-2", `Subject ${Math.sin(2)}`, "open"]);
      const settings = csvSettings.parse({
        files: { tickets: { file: "f", columns: [...(inspected?.columns ?? [])] } },
      });
      const [checked] = await checkFiles("helpdesk", settings, async () => stored);
      expect(checked).toMatchObject({ rows: 1_000, bad: 0, problem: null });
    });

    test("reads the texts up to the last one that the rows name", async () => {
      const texts = Array.from({ length: 150_000 }, (_, index) => `<si><t>${Math.sin(index)}</t></si>`);
      const data = ["Name", ...many]
        .map((_, row) => `<row r="${row + 1}"><c r="A${row + 1}" t="s"><v>${row}</v></c></row>`)
        .join("");
      const content = Buffer.from(`<sst>${texts.join("")}</sst>`);
      const long = writeZip(bookParts([{ name: "Data", data }], [{ path: "xl/sharedStrings.xml", content }]));
      const { files, read: bytesRead } = counting(long);
      const { header: first, sample } = await readTop((await files.open("", "f1")) as StoredFile);
      expect([first, sample.length]).toEqual([["0"], 1_000]);
      expect(sample[999]?.cells).toEqual([String(Math.sin(1_000))]);
      expect(bytesRead()).toBeLessThan(long.length);
    });

    test("takes fewer rows if their texts are too long, or too many", async () => {
      const book = await openWorkbook(memoryFile(look));
      const rowsWithin = async (limits: { texts: number; characters: number }) => {
        const rows = [];
        for await (const some of firstSheetRows(
          book,
          chooseSheet(book, undefined),
          { from: 2, count: 100 },
          limits,
        ))
          rows.push(...some);
        return rows.map(({ cells }) => cells);
      };
      const wide = { texts: 1_000, characters: 100_000 };
      expect(await rowsWithin(wide)).toEqual(many.slice(0, 100));
      expect(await rowsWithin({ ...wide, texts: 60 })).toEqual(many.slice(0, 25));
      expect(await rowsWithin({ ...wide, characters: 300 })).toEqual(many.slice(0, 6));
    });
  });

  test("a count is the dimension that the sheet states", async () => {
    const data = '<row r="1"><c r="A1" t="inlineStr"><is><t>ID</t></is></c></row>';
    const declaring = writeZip(
      bookParts([{ name: "Data", data }]).map((part) =>
        part.path.includes("worksheets/")
          ? {
              ...part,
              content: Buffer.from(
                Buffer.from(part.content)
                  .toString()
                  .replace("<sheetData>", '<dimension ref="A1:C4001"/><sheetData>'),
              ),
            }
          : part,
      ),
    );
    const { stream, io } = open({ bytes: declaring, choice: { columns: [column(0, "id")] } });
    expect(await stream.count?.(io)).toEqual({ value: 4000, exact: false });
    const silent = open({ bytes });
    expect(await silent.stream.count?.(silent.io)).toEqual({ value: 3000, exact: false });
  });

  test("temporary files are unlinked while open", async () => {
    const temp = await mkdtemp(join(folder, "temp-"));
    const connector = createCsv({
      files: memoryStore({ f1: memoryFile(bytes) }),
      tempFolder: temp,
      page: { rows: 10, characters: 1e6 },
    });
    const settings = csvSettings.parse({ files: { tickets: { file: "f1", columns } } });
    const io = createTestIo({ manifest: connector.manifest, settings, transport });
    const stream = connector.source?.helpdesk?.find((each) => each.stream.name === "tickets");
    const page = await stream?.readPage(io, { cursor: null, since: null, parentId: null });
    expect(page?.records).toHaveLength(10);
    expect(await readdir(temp)).toEqual([]);
  });
});
