import { isDeepStrictEqual } from "node:util";

export type DumpedRow = Readonly<Record<string, unknown>>;

/** The contents of a tool, by table or endpoint. */
export type Dump = Readonly<Record<string, readonly DumpedRow[]>>;

export interface Excluded {
  /** `table`, `table.column`, or `table: rows that …`. */
  readonly what: string;
  readonly why: string;
}

/** Some tools return their fields in a different order each time. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, canonical(each)]));
};

const sorted = (rows: readonly DumpedRow[]) =>
  rows.map((row) => JSON.stringify(canonical(row))).toSorted((a, b) => (a < b ? -1 : 1));

/** Every row that only one dump has, a few per table, as text. */
export const differences = (before: Dump, after: Dump): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const was = sorted(before[name] ?? []);
    const is = sorted(after[name] ?? []);
    if (isDeepStrictEqual(was, is)) return [];
    const had = new Set(was);
    const has = new Set(is);
    const gone = was.filter((row) => !has.has(row)).map((row) => `${name} − ${row.slice(0, 600)}`);
    const come = is.filter((row) => !had.has(row)).map((row) => `${name} + ${row.slice(0, 600)}`);
    const twice = gone.length + come.length === 0 ? [`${name}: rows doubled`] : [];
    return [...gone.slice(0, 6), ...come.slice(0, 6), ...twice];
  });

export const rowsIn = (dump: Dump): number => Object.values(dump).reduce((sum, rows) => sum + rows.length, 0);
