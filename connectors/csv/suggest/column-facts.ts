import { type DateFormat, dateFormats, isShortDottedDate, readDate } from "../values/dates.ts";
import { type DecimalMark, decimalText, durationParts, isExactNumber } from "../values/numbers.ts";
import { booleanOf } from "../values/words.ts";

export interface DecimalFact {
  readonly mark: DecimalMark;
  readonly sure: boolean;
}

export interface DurationFact {
  /** Of those that are not written as 1:30. */
  readonly decimal: DecimalFact | null;
  /** Some name no unit. */
  readonly unitless: boolean;
}

/** Statistics about a column's cells in a sample. Shares are of the cells that are not empty. */
export interface ColumnFacts {
  readonly column: number;
  readonly header: string;
  /** Cells that are not empty. */
  readonly filled: number;
  readonly empty: number;
  readonly distinct: number;
  /** The first row that repeats a value, and the row that it repeats; null: all values differ. */
  readonly repeats: { readonly row: number; readonly before: number } | null;
  readonly longest: number;
  readonly emails: number;
  readonly urls: number;
  readonly numbers: number;
  readonly booleans: number;
  readonly html: number;
  /** Formats that nearly every cell fits. */
  readonly dates: readonly DateFormat[];
  /** The mark that most cells fit; unsure if both fit as many, and cells differ by it. Null: these are no numbers. */
  readonly decimal: DecimalFact | null;
  /** Null: these are no durations. */
  readonly duration: DurationFact | null;
  /** Every cell is a number without a loss. */
  readonly exactNumbers: boolean;
  /** A cell may be a date with a short year, or a version. */
  readonly shortDotted: boolean;
  /** The distinct values, up to a hundred. */
  readonly values: readonly string[];
}

const email = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,200}\.[^\s@<>".]{2,24}$/;
const url = /^https?:\/\/[^\s]{3,2000}$/i;
const html = /<(p|br|div|b|strong|a|span|ul|li|table|img|h[1-6])\b[^>]{0,500}>/i;
const enough = 0.95;
const keptValues = 100;
const examinedCharacters = 5_000;

const decimalOf = (cells: readonly string[]): ColumnFacts["decimal"] => {
  const fit = { ".": 0, ",": 0 };
  let differ = 0;
  for (const cell of cells) {
    const point = decimalText(cell, ".");
    const comma = decimalText(cell, ",");
    if (point !== null) fit["."] += 1;
    if (comma !== null) fit[","] += 1;
    // "1.500": a group of three digits may be thousands.
    if (point !== null && comma !== null && point !== comma) differ += 1;
  }
  if (cells.length === 0 || Math.max(fit["."], fit[","]) < cells.length * enough) return null;
  return { mark: fit[","] > fit["."] ? "," : ".", sure: fit["."] !== fit[","] || differ === 0 };
};

const durationOf = (cells: readonly string[]): DurationFact | null => {
  const parts = cells.map(durationParts).filter((each) => each !== null);
  const decimal = decimalOf(parts.map(({ number }) => number));
  if (cells.length === 0 || (parts.length > 0 && !decimal)) return null;
  return { decimal, unitless: parts.some(({ unit }) => unit === null) };
};

/** A bare number is a date only if its year is plausible for an export. */
const plausible = (cell: string, format: DateFormat): boolean => {
  const date = readDate(cell, format);
  if (!date) return false;
  const counted = format.startsWith("unix") || format === "excel-serial";
  return !counted || (date.year >= 1990 && date.year <= 2060);
};

export const columnFacts = (
  header: readonly string[],
  rows: readonly { readonly row: number; readonly cells: readonly string[] }[],
): readonly ColumnFacts[] =>
  header.map((name, column) => {
    const firstAt = new Map<string, number>();
    const cells: string[] = [];
    let repeats: ColumnFacts["repeats"] = null;
    let empty = 0;
    let longest = 0;
    for (const { row, cells: all } of rows) {
      const whole = all[column] ?? "";
      longest = Math.max(longest, whole.trim().length);
      // The beginning of a long text tells as much, and costs less.
      const cell = whole.slice(0, examinedCharacters).trim();
      if (cell === "") {
        empty += 1;
        continue;
      }
      cells.push(cell);
      const before = firstAt.get(cell);
      if (before === undefined) firstAt.set(cell, row);
      else repeats ??= { row, before };
    }
    const decimal = decimalOf(cells);
    const share = (test: (cell: string) => boolean) =>
      cells.length === 0 ? 0 : cells.filter(test).length / cells.length;
    return {
      column,
      header: name,
      filled: cells.length,
      empty,
      distinct: firstAt.size,
      repeats,
      longest,
      emails: share((cell) => cell.length < 300 && email.test(cell)),
      urls: share((cell) => url.test(cell.slice(0, 2100))),
      numbers: share((cell) => decimalText(cell, ".") !== null || decimalText(cell, ",") !== null),
      booleans: share((cell) => booleanOf(cell) !== null),
      html: share((cell) => html.test(cell.slice(0, 5000))),
      dates: dateFormats.filter(
        (format) => cells.length > 0 && share((cell) => plausible(cell, format)) >= enough,
      ),
      decimal,
      duration: durationOf(cells),
      exactNumbers: decimal !== null && cells.every((cell) => isExactNumber(cell, decimal.mark)),
      shortDotted: cells.some(isShortDottedDate),
      values: [...firstAt.keys()].slice(0, keptValues),
    };
  });

export type DateOrder = { readonly format: DateFormat; readonly sure: boolean } | null;

/** The one format of a column. It is unsure if day and month are ambiguous: the customer must decide. */
export const dateOrderOf = ({ dates, values }: ColumnFacts): DateOrder => {
  const [first] = dates;
  if (first === undefined) return null;
  if (!dates.includes("day-first") || !dates.includes("month-first")) return { format: first, sure: true };
  // A dot never separates a month from a following day.
  return { format: "day-first", sure: values.every((value) => /^\d{1,2}\.\s?\d{1,2}\./.test(value)) };
};
