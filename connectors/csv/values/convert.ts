import type { ColumnChoice } from "../settings.ts";
import { customPrefix, type Target } from "../targets.ts";
import { dayText, isShortDottedDate, momentText, readDate } from "./dates.ts";
import { decimalText, isExactNumber, minutesOf } from "./numbers.ts";
import { booleanOf, folded } from "./words.ts";

/** Why a cell can't be used, and what to do. It never quotes the cell, which holds customer data. */
export interface Problem {
  readonly code: string;
  readonly why: string;
}

export type Converted = { readonly value: unknown } | { readonly problem: Problem };

const problem = (code: string, why: string): Converted => ({ problem: { code, why } });

const dateNames = {
  "year-first": "year, month, day",
  "day-first": "day, month, year",
  "month-first": "month, day, year",
  "named-month": "with the month's name",
  "unix-seconds": "seconds since 1970",
  "unix-milliseconds": "milliseconds since 1970",
  "excel-serial": "days since 1900",
};

const parts = (cell: string, separator: string | undefined): readonly string[] =>
  (separator === undefined ? [cell] : cell.split(separator))
    .map((each) => each.trim())
    .filter((each) => each !== "");

const maxId = 512;

const stageKind = (name: string) => {
  const word = folded(name);
  if (/\b(won|gewonnen|gagne|ganado|vinto|ganho)/.test(word)) return "won";
  return /\b(lost|verloren|perdu|perdido|perso)/.test(word) ? "lost" : "open";
};

type Convert = (cell: string, choice: ColumnChoice, target: Target, timeZone: string) => Converted;

const identifier: Convert = (cell) =>
  cell.trim().length > maxId
    ? problem(
        "id_too_long",
        `is longer than ${maxId} characters, so it can't be a key. Choose another column.`,
      )
    : { value: cell.trim() };

const isCustom = ({ path }: Target) => path.startsWith(customPrefix);

const dated =
  (write: (date: NonNullable<ReturnType<typeof readDate>>, timeZone: string) => string): Convert =>
  (cell, { date = "year-first" }, target, timeZone) => {
    const read = isCustom(target) && isShortDottedDate(cell) ? null : readDate(cell, date);
    return read
      ? { value: write(read, timeZone) }
      : problem(
          "bad_date",
          `is not a date in the format ${dateNames[date]}. Correct the cell, or choose another date format for the column.`,
        );
  };

const notANumber = problem(
  "bad_number",
  "is not a number. Correct the cell, or choose whether the column has a decimal point or a decimal comma.",
);

const inexactNumber = problem(
  "inexact_number",
  "would lose characters as a number, such as a zero at its beginning or end. Write it as a plain number, or keep the column as text.",
);

const converts: Readonly<Record<Target["kind"], Convert>> = {
  id: identifier,
  ref: identifier,
  text: (cell) => ({ value: cell }),
  rich: (cell, { text = "plain" }) => ({ value: { format: text, text: cell } }),
  moment: dated(momentText),
  day: dated(dayText),
  decimal: (cell, { decimal }) => {
    const value = decimalText(cell, decimal);
    return value === null ? notANumber : { value };
  },
  number: (cell, { decimal }, target) => {
    const value = decimalText(cell, decimal);
    if (value === null) return notANumber;
    return isCustom(target) && !isExactNumber(cell, decimal ?? ".")
      ? inexactNumber
      : { value: Number(value) };
  },
  minutes: (cell, { decimal, unit = "minutes" }) => {
    const value = minutesOf(cell, decimal, unit);
    return value === null
      ? problem("bad_duration", "is not a duration such as 1:30, 90 or 1.5. Correct the cell.")
      : { value };
  },
  boolean: (cell, { words, otherwise }) => {
    const word = words?.[folded(cell)] ?? cell;
    const value = booleanOf(word) ?? (otherwise === undefined ? null : booleanOf(otherwise));
    return value === null ? problem("bad_boolean", "is neither yes nor no. Correct the cell.") : { value };
  },
  enum: (cell, { words, otherwise }, { options }) => {
    const word = words?.[folded(cell)] ?? options.find((each) => folded(each) === folded(cell)) ?? otherwise;
    return word !== undefined && options.includes(word)
      ? { value: word }
      : problem(
          "unknown_word",
          `has a word without a meaning. Choose what it means, or what all other words mean: ${options.join(", ")}. Or correct the cell.`,
        );
  },
  texts: (cell, { separator }) => ({ value: parts(cell, separator) }),
  refs: (cell, { separator }) => ({ value: parts(cell, separator) }),
  pointer: (cell, { to }, { to: streams }) => ({ value: { stream: to ?? streams[0], id: cell.trim() } }),
  pointers: (cell, { to, separator }, { to: streams }) => ({
    value: parts(cell, separator).map((id) => ({ stream: to ?? streams[0], id })),
  }),
  stages: (cell, { separator = ";" }) => ({
    value: parts(cell, separator).map((name) => ({ id: name, name, kind: stageKind(name) })),
  }),
};

/** Converts a non-empty cell to the type of its field. */
export const convertCell: Convert = (cell, choice, target, timeZone) =>
  converts[target.kind](cell, choice, target, timeZone);
