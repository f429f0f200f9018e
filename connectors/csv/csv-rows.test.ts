import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvRows, type TableRow } from "./csv-rows.ts";
import { detectDialect, type Dialect, delimiters } from "./dialect.ts";
import { memoryFile } from "./testing/folder-store.ts";
import { writeCsv, type Writing } from "./testing/write-csv.ts";

const tiny = { windowBytes: 16, rowBytes: 4096 };
const plain: Dialect = { encoding: "utf-8", delimiter: ",", quote: '"', lineBreak: "lf" };

const readAll = async (
  bytes: Uint8Array,
  dialect: Dialect,
  at = { offset: 0, row: 1 },
  limits = tiny,
  pieceBytes = 7,
): Promise<TableRow[]> => {
  const rows: TableRow[] = [];
  for await (const some of csvRows(memoryFile(bytes, pieceBytes), dialect, at, limits)) rows.push(...some);
  return rows;
};

const letters = fc.constantFrom(..."ab1 ,;\t|\"'\n\r.-éß€", "\r\n", '""', "日", "一", "Ⰰ", "∀", "😀", "Ā");
const cellText = fc.array(letters, { maxLength: 12 }).map((all) => all.join(""));
const westernText = cellText.map((text) => text.replace(/[^\u0000-\u007féß€]/gu, "x"));

const table = (cell: fc.Arbitrary<string>) =>
  fc
    .integer({ min: 2, max: 5 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
    );

const writingOf = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  quote: fc.constantFrom('"' as const, "'" as const),
  lineBreak: fc.constantFrom("\n" as const, "\r\n" as const, "\r" as const),
  encoding: fc.constantFrom(
    "utf-8" as const,
    "utf-16le" as const,
    "utf-16be" as const,
    "windows-1252" as const,
  ),
  quoteAll: fc.boolean(),
  endsWithBreak: fc.boolean(),
});

const dialectOf = ({ delimiter, quote, lineBreak, encoding }: Omit<Writing, "bom">): Dialect => ({
  delimiter: delimiter as Dialect["delimiter"],
  quote,
  encoding,
  lineBreak: lineBreak === "\r" ? "cr" : "lf",
});

const cases = writingOf.chain((writing) =>
  table(writing.encoding === "windows-1252" ? westernText : cellText).map((rows) => ({ writing, rows })),
);

test("a random table in any dialect reads back equal, wherever the windows cut it", async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.integer({ min: 2, max: 40 }), async ({ writing, rows }, windowBytes) => {
      const bytes = writeCsv(rows, writing);
      const got = await readAll(bytes, dialectOf(writing), undefined, { windowBytes, rowBytes: 4096 });
      expect(got.map(({ cells }) => cells)).toEqual(rows);
      expect(got.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1));
      expect(got.at(-1)?.end).toBe(bytes.length);
    }),
    { numRuns: 400 },
  );
});

test("resuming after any row equals a full read", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ writing, rows }) => {
      const bytes = writeCsv(rows, writing);
      const all = await readAll(bytes, dialectOf(writing));
      for (const [index, { end, row }] of all.entries())
        expect(await readAll(bytes, dialectOf(writing), { offset: end, row: row + 1 })).toEqual(
          all.slice(index + 1),
        );
    }),
    { numRuns: 150 },
  );
});

test("random bytes never stop the read, and every row advances the position", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 0x0a, 0x0d, 0x22, 0x2c, 0x41, 0xe9, 0xff, 0xc3, 0xa9), { maxLength: 200 }),
      fc.constantFrom("utf-8" as const, "utf-16le" as const, "utf-16be" as const, "windows-1252" as const),
      async (numbers, encoding) => {
        const bytes = Buffer.from(numbers);
        const got = await readAll(bytes, { ...plain, encoding }, undefined, { windowBytes: 4, rowBytes: 64 });
        let before = 0;
        for (const { end } of got) {
          expect(end).toBeGreaterThan(before);
          before = end;
        }
        expect(bytes.length - before).toBeLessThan(encoding.startsWith("utf-16") ? 2 : 1);
      },
    ),
    { numRuns: 400 },
  );
});

describe("bad rows", () => {
  test("an unclosed quote loses only its own row", async () => {
    const bytes = Buffer.from('a,b\n1,"open\n2,x\n3,y\n');
    const got = await readAll(bytes, plain);
    expect(got.map(({ row, cells, fault }) => [row, fault ?? cells.join("|")])).toEqual([
      [1, "a|b"],
      [2, "open_quote"],
      [3, "2|x"],
      [4, "3|y"],
    ]);
  });

  test("an unclosed quote swallows no more than the largest row", async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${index},x`);
    const bytes = Buffer.from(`a,b\n1,"open\n${lines.join("\n")}\n`);
    const got = await readAll(bytes, plain, undefined, { windowBytes: 64, rowBytes: 512 }, 100);
    expect(got.filter(({ fault }) => fault)).toHaveLength(1);
    expect(got).toHaveLength(2002);
  });

  test("skips a row over the limit, even one without an end", async () => {
    const bytes = Buffer.from(`a,b\n1,${"x".repeat(2000)}\n2,y\n${"z".repeat(5000)}`);
    const got = await readAll(bytes, plain, undefined, { windowBytes: 64, rowBytes: 512 }, 100);
    expect(got.map(({ fault, cells }) => fault ?? cells[0])).toEqual(["a", "too_long", "2", "too_long"]);
  });

  test("reads a cell that is not UTF-8 as Windows-1252, and leaves the others unchanged", async () => {
    const bytes = Buffer.concat([Buffer.from("é,"), Buffer.from([0xe9, 0x80]), Buffer.from("\n")]);
    expect((await readAll(bytes, plain))[0]?.cells).toEqual(["é", "é€"]);
  });

  test("drops NUL bytes, counts blank lines as rows and keeps a quote within a cell", async () => {
    const bytes = Buffer.from('a\0b,c\n\n5" disk,x "y" z\n');
    expect((await readAll(bytes, plain)).map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, "ab", "c"],
      [2, ""],
      [3, '5" disk', 'x "y" z'],
    ]);
  });

  test("LF and CRLF may be mixed", async () => {
    const got = await readAll(Buffer.from("a,b\r\nc,d\ne,f\r\n"), plain);
    expect(got.map(({ cells }) => cells.join(""))).toEqual(["ab", "cd", "ef"]);
  });
});

describe("detection", () => {
  const rows = [
    ["Nr", "Betreff", "Text"],
    ["1", "Drucker; kaputt", "sagt, er\nsei müde"],
    ["2", "Größe | Maß", 'ein "Zitat"'],
    ["3", "Café", "naïve"],
  ];
  const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
  const all = encodings.flatMap((encoding) =>
    delimiters.flatMap((delimiter) =>
      (["\n", "\r\n", "\r"] as const).flatMap((lineBreak) =>
        (encoding === "windows-1252" ? [false] : [true, false]).map((bom) => ({
          encoding,
          delimiter,
          lineBreak,
          bom,
        })),
      ),
    ),
  );
  test.each(all)("$encoding $delimiter $lineBreak mark $bom", async (writing) => {
    const bytes = writeCsv(rows, writing);
    const { start, confidence, ...dialect } = await detectDialect(memoryFile(bytes));
    expect(dialect).toEqual(dialectOf({ ...writing, quote: '"', quoteAll: false, endsWithBreak: true }));
    expect(confidence).toBe("certain");
    const got = await readAll(bytes, dialect, { offset: start, row: 1 });
    expect(got.map(({ cells }) => cells)).toEqual(rows);
  });

  test("Excel's sep= line names the delimiter and is not a row", async () => {
    const found = await detectDialect(memoryFile(Buffer.from("sep=;\r\na,x;b\r\n1,2;3\r\n")));
    expect(found).toMatchObject({ delimiter: ";", start: 7, confidence: "certain" });
  });

  test("detects the encoding by an accent far into the file", async () => {
    const bytes = Buffer.concat([
      Buffer.from("a,b\n" + "plain,text\n".repeat(60_000)),
      ...Array.from({ length: 30_000 }, () => Buffer.from([0xe9, 0x2c, 0x78, 0x0a])),
    ]);
    expect(await detectDialect(memoryFile(bytes))).toMatchObject({ encoding: "windows-1252" });
  });

  test("reports one column, or rows of different widths, as unsure", async () => {
    expect(await detectDialect(memoryFile(Buffer.from("name\nAnna\nBerta\n")))).toMatchObject({
      confidence: "unsure",
    });
    expect(await detectDialect(memoryFile(Buffer.from("a,b;c\nd;e,f\n")))).toMatchObject({
      confidence: "unsure",
    });
  });

  test("the customer's choice overrides detection", async () => {
    const found = await detectDialect(memoryFile(Buffer.from("a;b\n1;2\n")), {
      delimiter: ",",
      encoding: "windows-1251",
    });
    expect(found).toMatchObject({ delimiter: ",", encoding: "windows-1251" });
  });
});
