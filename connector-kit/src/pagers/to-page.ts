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

const leftOut = Symbol("left out");

/** Waits only for records that have to be waited for. */
export const toPage = async <R, T, S>(
  { key, toRecord }: Rows<R, T, S>,
  io: Io<S>,
  rows: readonly R[],
  next: Cursor | null,
): Promise<Page<T>> => {
  const unreadable: Unreadable[] = [];
  const leaveOut = (row: R, error: unknown): typeof leftOut => {
    if (!(error instanceof ConnectorError) || error.recovery !== "skip-record") throw error;
    unreadable.push({ id: String(key(row)), code: error.code, message: error.message });
    return leftOut;
  };
  const made: (T | typeof leftOut | Promise<T | typeof leftOut>)[] = [];
  for (const row of rows)
    try {
      const record = toRecord(row, io);
      made.push(record instanceof Promise ? record.catch((error: unknown) => leaveOut(row, error)) : record);
    } catch (error) {
      // An error that ends the page must not leave the promises of earlier rows alone with theirs.
      made.push(Promise.reject(error as Error).catch((cause: unknown) => leaveOut(row, cause)));
    }
  const waits = made.some((each) => each instanceof Promise);
  const all = waits ? await Promise.all(made.map(async (each) => each)) : (made as (T | typeof leftOut)[]);
  const records = all.filter((each): each is T => each !== leftOut);
  return { records, next, ...(unreadable.length > 0 ? { unreadable } : {}) };
};
