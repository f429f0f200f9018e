import { ConnectorError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { At, Cursor, Page, Unreadable } from "../page.ts";

export type Key = string | number;

/** The functions over a tool's rows that all pagers share. */
export interface Rows<R, T, S> {
  /** Unique and immutable. */
  key(row: R): Key;
  /** A ConnectorError with `skip-record` makes only this row unreadable. */
  toRecord(row: R, io: Io<S>): T | Promise<T>;
}

/** The size of a page: the pager's own, or a smaller one that the engine asks for. */
export const sizeAt = ({ size = Number.POSITIVE_INFINITY }: At, usual: number): number =>
  Math.min(size, usual);

export const toPage = async <R, T, S>(
  { key, toRecord }: Rows<R, T, S>,
  io: Io<S>,
  rows: readonly R[],
  next: Cursor | null,
): Promise<Page<T>> => {
  const unreadable: Unreadable[] = [];
  const made = await Promise.all(
    rows.map(async (row) => {
      try {
        return [await toRecord(row, io)];
      } catch (error) {
        if (!(error instanceof ConnectorError) || error.recovery !== "skip-record") throw error;
        unreadable.push({ id: String(key(row)), code: error.code, message: error.message });
        return [];
      }
    }),
  );
  return { records: made.flat(), next, ...(unreadable.length > 0 ? { unreadable } : {}) };
};
