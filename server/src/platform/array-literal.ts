import { toStorable } from "./storable.ts";

const special = /["\\]/g;

/** In quotes, a text is never NULL, and only quotes and backslashes have a meaning. */
const quoted = (text: string) =>
  text.includes("\\") || text.includes('"') ? `"${text.replaceAll(special, "\\$&")}"` : `"${text}"`;

/**
 * A parameter for an array, as the text that the driver would make of it: written in one pass over the rows, without a list of
 * values and two replacements for each.
 */
const literal = <T>(rows: readonly T[], elementOf: (row: T) => string | null): string => {
  let text = "";
  for (const row of rows) text += `,${elementOf(row) ?? "NULL"}`;
  return `{${text.slice(1)}}`;
};

/** For rows that are the values. */
export const itself = <T>(value: T): T => value;

export const textArray = <T>(rows: readonly T[], valueOf: (row: T) => string | null): string =>
  literal(rows, (row) => {
    const value = valueOf(row);
    return value === null ? null : quoted(value);
  });

export const numberArray = <T>(rows: readonly T[], valueOf: (row: T) => number | null): string =>
  literal(rows, (row) => valueOf(row)?.toString() ?? null);

/** For `bytea[]`: the values are in hexadecimal digits. */
export const bytesArray = <T>(rows: readonly T[], valueOf: (row: T) => string | null): string =>
  literal(rows, (row) => {
    const value = valueOf(row);
    return value === null ? null : `"\\\\x${value}"`;
  });

/** For `jsonb[]`. */
export const jsonArray = <T>(rows: readonly T[], valueOf: (row: T) => object | null): string =>
  literal(rows, (row) => {
    const value = valueOf(row);
    return value === null ? null : quoted(toStorable(JSON.stringify(value)) as string);
  });
