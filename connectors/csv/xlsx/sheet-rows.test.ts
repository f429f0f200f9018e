import { tmpdir } from "node:os";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StoredFile } from "../file-store.ts";
import { memoryFile } from "../testing/folder-store.ts";
import { bookParts, writeXlsx } from "../testing/write-xlsx.ts";
import { writeZip, type ZipPart } from "../testing/write-zip.ts";
import { numberKind } from "./cell-text.ts";
import { sheetRows } from "./sheet-rows.ts";
import { chooseSheet, openWorkbook } from "./workbook.ts";
import { readXml } from "./xml-events.ts";
import { zipLimits } from "./zip-file.ts";

const readAll = async (file: StoredFile, fromRow = 1, sheet?: string, limits = zipLimits) => {
  const opened = await openWorkbook(file, limits);
  const rows = [];
  for await (const some of sheetRows(opened, chooseSheet(opened, sheet), fromRow, tmpdir()))
    rows.push(...some);
  return rows;
};

const read = (bytes: Uint8Array, ...more: readonly [number?, string?, typeof zipLimits?]) =>
  readAll(memoryFile(bytes, 777), ...more);

const book = (data: string, extra: readonly ZipPart[] = [], date1904 = false) =>
  writeZip(bookParts([{ name: "Data", data }], extra, date1904));

const styles = (xml: string): ZipPart => ({ path: "xl/styles.xml", content: Buffer.from(xml) });

const text = fc
  .array(fc.constantFrom(..."ab <>&\"'\n\réß€日😀\u0007_", "_x0041_".slice(0, 2)), { maxLength: 10 })
  .map((all) => all.join("").replace(/_x/g, "x"));

test("a random table reads back equal, from any row on", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 8 }),
      fc.nat(8),
      async (rows, from) => {
        const got = await read(writeXlsx(rows), from);
        const wanted = rows.map((cells, index) => ({
          row: index + 1,
          cells: cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1),
        }));
        expect(got.map(({ row, cells }) => ({ row, cells }))).toEqual(
          wanted.filter(({ row }) => row >= from),
        );
      },
    ),
    { numRuns: 100 },
  );
});

describe("cells", () => {
  const cellsOf = async (
    data: string,
    ...more: Parameters<typeof book> extends [string, ...infer R] ? R : never
  ) => (await read(book(data, ...more)))[0]?.cells;

  test("never evaluates formulas: the stored result is the text", async () => {
    expect(
      await cellsOf(
        '<row r="1"><c r="A1" t="str"><f>HYPERLINK("x")</f><v>shown</v></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1"><f>NOW()</f></c><c r="D1" t="e"><v>#N/A</v></c></row>',
      ),
    ).toEqual(["shown", "2", "", "#N/A"]);
  });

  test("reads inline and rich texts, without phonetic hints", async () => {
    const shared: ZipPart = {
      path: "xl/sharedStrings.xml",
      content: Buffer.from(
        "<sst><si><r><t>two </t></r><r><t>parts</t></r><rPh><t>FURIGANA</t></rPh></si></sst>",
      ),
    };
    expect(
      await cellsOf(
        '<row><c t="inlineStr"><is><t>in</t><rPh><t>no</t></rPh></is></c><c t="s"><v>0</v></c><c t="s"><v>99</v></c><c t="b"><v>1</v></c></row>',
        [shared],
      ),
    ).toEqual(["in", "two parts", "", "true"]);
  });

  test("dates by their style, in both calendars; numbers without noise", async () => {
    const xml =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/></cellXfs></styleSheet>';
    const row =
      '<row><c s="1"><v>45292</v></c><c s="2"><v>45292.5</v></c><c s="3"><v>0.75</v></c><c s="0"><v>0.10000000000000001</v></c><c><v>12345678901234567890</v></c></row>';
    expect(await cellsOf(row, [styles(xml)])).toEqual([
      "2024-01-01",
      "2024-01-01T12:00:00",
      "18:00:00",
      "0.1",
      "12345678901234567890",
    ]);
    expect((await cellsOf(row, [styles(xml)], true))?.[0]).toBe("2028-01-02");
  });

  test.each([
    ["General", "number"],
    ["0.00", "number"],
    ["[Red]0.00", "number"],
    ['#,##0 "days"', "number"],
    ["yyyy-mm-dd", "day"],
    ["mmm", "day"],
    ["[$-407]d. mmmm yyyy", "day"],
    ["m/d/yy h:mm", "moment"],
    ["h:mm:ss AM/PM", "time"],
    ["[h]:mm", "time"],
    ["mm:ss", "time"],
  ] as const)("the format %s shows a %s", (code, kind) => {
    expect(numberKind(164, code)).toBe(kind);
  });
});

describe("an outage is not the file's fault", () => {
  const outage = new Error("The store is down.");
  const bytes = writeXlsx(Array.from({ length: 200 }, (_, row) => [`T-${row}`, `Subject ${Math.sin(row)}`]));
  /** Fails once, at one of its pieces. */
  const failingAt = (piece: number): StoredFile => {
    const whole = memoryFile(bytes, 777);
    let pieces = 0;
    return {
      size: whole.size,
      async *openAt(offset) {
        for await (const each of whole.openAt(offset)) {
          pieces += 1;
          if (pieces === piece) throw outage;
          yield each;
        }
      },
    };
  };

  test("the store's error passes as it is, wherever it happens, and the next attempt reads the file", async () => {
    const ended: unknown[] = [];
    for (let piece = 1; ended.at(-1) !== "read" && piece < 500; piece += 1) {
      const file = failingAt(piece);
      const attempt = () => readAll(file).then(() => "read" as const);
      const first = await attempt().catch((error: unknown) => error);
      ended.push(first);
      if (first !== "read") expect(await attempt()).toBe("read");
    }
    expect(ended.length).toBeGreaterThan(10);
    expect(new Set(ended)).toEqual(new Set([outage, "read"]));
  });

  test("so does an error of the temporary folder", async () => {
    const opened = await openWorkbook(memoryFile(bytes));
    const rows = sheetRows(opened, chooseSheet(opened, undefined), 1, "/no/such/folder");
    await expect(rows.next()).rejects.toMatchObject({ code: "ENOENT" });
    await expect(
      readXml(
        (async function* () {
          yield Buffer.from("<a/>");
        })(),
        {
          open() {
            throw Object.assign(new Error("No space left."), { code: "ENOSPC" });
          },
        },
      ),
    ).rejects.toMatchObject({ code: "ENOSPC" });
  });
});

describe("hostile workbooks", () => {
  const data = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const refused = (bytes: Uint8Array, limits = zipLimits) =>
    read(bytes, 1, undefined, limits).then(
      () => "read",
      (error: { code?: string; name: string }) => `${error.name} ${error.code}`,
    );

  test("refuses a zip bomb by ratio, by size and by number of entries", async () => {
    const zeros = { path: "xl/sharedStrings.xml", content: Buffer.alloc(20_000_000, 32) };
    expect(await refused(book(data, [zeros]))).toBe("ConnectorError file_too_large");
    expect(await refused(book(data), { ...zipLimits, entryBytes: 10 })).toBe("ConnectorError file_too_large");
    expect(await refused(book(data), { ...zipLimits, entries: 2 })).toBe("ConnectorError file_too_large");
  });

  test("stops a zip bomb that claims a small size at that size", async () => {
    const liar = {
      path: "xl/sharedStrings.xml",
      content: Buffer.concat([Buffer.from("<sst>"), Buffer.alloc(20_000_000, 32), Buffer.from("</sst>")]),
      claimedSize: 1000,
    };
    expect(await refused(book(data, [liar]))).toBe("ConnectorError file_format");
  });

  test.each([
    ["a text without end", `<row><c t="str"><v>${"x".repeat(5_000_000)}</v></c></row>`],
    ["nesting without end", "<a>".repeat(1000)],
    ["a tag without end", `<row ${'x="1" '.repeat(10)}y="${"y".repeat(5_000_000)}">`],
    ["no XML", "<row><c></row>"],
  ])("%s is refused", async (_, bad) => {
    expect(await refused(book(bad), { ...zipLimits, ratio: 10_000 })).toBe("ConnectorError file_format");
  });

  test("refuses a text of many parts that is longer than any cell can be", async () => {
    const part = `<r><t>${"x".repeat(100_000)}</t></r>`;
    const shared = {
      path: "xl/sharedStrings.xml",
      content: Buffer.from(`<sst><si>${part.repeat(90)}</si></sst>`),
    };
    expect(await refused(book(data, [shared]), { ...zipLimits, ratio: 10_000 })).toBe(
      "ConnectorError file_too_large",
    );
  });

  test("refuses rows that are almost only columns without a cell", async () => {
    const far = '<row><c r="XFD1"><v>1</v></c></row>';
    expect((await read(book(far.repeat(20))))[19]?.cells).toHaveLength(16_384);
    expect(await refused(book(far.repeat(2_000)))).toBe("ConnectorError file_too_large");
  });

  test("refuses a document type, which could define entities", async () => {
    const parts = bookParts([{ name: "Data", data }]).map((part) =>
      part.path === "xl/workbook.xml"
        ? { ...part, content: Buffer.from('<!DOCTYPE w [<!ENTITY a "aaaa">]><workbook>&a;</workbook>') }
        : part,
    );
    expect(await refused(writeZip(parts))).toBe("ConnectorError file_format");
  });

  test("handles cells beyond the last column and rows out of order", async () => {
    expect(await refused(book('<row><c r="XFE1"><v>1</v></c></row>'))).toBe("ConnectorError file_too_large");
    const back = await read(book('<row r="5"/><row r="3"/><row r="x"/>'));
    expect(back.map(({ row }) => row)).toEqual([5, 6, 7]);
  });

  test("refuses another kind of archive, a truncated archive and a missing sheet", async () => {
    expect(await refused(writeZip([{ path: "a.csv", content: Buffer.from("a") }]))).toBe(
      "ConnectorError file_format",
    );
    expect(await refused(book(data).subarray(0, 300))).toBe("ConnectorError file_format");
    await expect(read(book(data), 1, "Nope")).rejects.toThrow("it has “Data”");
  });
});
