import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine } from "./csv-line.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["+49 30", "'+49 30"],
  ["-5", "'-5"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["＝1", "'＝1"],
  ["a=1", "a=1"],
  ["", ""],
  ['say "hi", now', '"say ""hi"", now"'],
  ["two\nlines", '"two\nlines"'],
])("%j becomes %j", (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

/** Reads a line by RFC 4180, without any of our own code. */
const readLine = (line: string): string[] => {
  const cells: string[] = [];
  let rest = line.replace(/\r\n$/, "");
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(,|$)/.exec(rest);
    const plain = /^([^",\r\n]*)(,|$)/.exec(rest);
    const found = quoted ?? plain;
    if (!found) throw new Error(`Not CSV: ${rest}`);
    cells.push(quoted ? (found[1] ?? "").replaceAll('""', '"') : (found[1] ?? ""));
    if (found[2] === "") return cells;
    rest = rest.slice(found[0].length);
  }
};

test("any text reads back as it was, except for the apostrophe, and never begins a formula", () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(..."=+-@\t\r\n\",'ab"), fc.string({ minLength: 1, maxLength: 1 })),
  });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
      const back = readLine(csvLine(cells));
      expect(back.map((cell, index) => (cell === `'${cells[index]}` ? cells[index] : cell))).toEqual(cells);
      for (const cell of back) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
    { numRuns: 1_000 },
  );
});
