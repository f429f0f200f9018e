import type { FamilyRecord } from "../families/stream.ts";
import type { Io } from "../io.ts";
import type { At, Page } from "../page.ts";
import type { Pages, ReadPage } from "../pagers/pages.ts";
import { type Key, type Rows, toPage } from "../pagers/to-page.ts";
import { hasStatus, recover } from "../refusals.ts";
import type { SourceStream } from "../source.ts";

/** A row may be no record of the stream (null), or several. */
type Made<T> = T | readonly T[] | null;

export interface ListStream<R, T extends FamilyRecord, S>
  extends Omit<SourceStream<T, S>, "readPage" | "readByIds" | "delta"> {
  /** Left out: false. */
  readonly delta?: boolean;
  readonly pages: Pages<R, S>;
  /** The key that the pager goes by. */
  key(row: R): Key;
  toRecord(row: R, io: Io<S>): Made<T> | Promise<Made<T>>;
  /** Rows by id, without those that no longer exist, in any order. */
  byIds(io: Io<S>, ids: readonly string[]): Promise<readonly R[]>;
}

const listOf = <T>(made: Made<T>): readonly T[] => (made === null ? [] : ([made].flat() as readonly T[]));

/** Reads the pages of rows of which each is no record, one, or several. */
export const readPages = <R, T, S>(
  pages: Pages<R, S>,
  { key, toRecord }: Rows<R, Made<T>, S>,
): ReadPage<T, S> => {
  const read = pages<readonly T[]>({
    key,
    toRecord: (row, io) => {
      const made = toRecord(row, io);
      return made instanceof Promise ? made.then((each) => listOf(each)) : listOf(made);
    },
  });
  return async (io, at): Promise<Page<T>> => {
    const page = await read(io, at);
    return { ...page, records: page.records.flat() };
  };
};

const recordsOf = async <R, T, S>(
  io: Io<S>,
  rows: readonly R[],
  toRecord: (row: R, io: Io<S>) => Made<T> | Promise<Made<T>>,
): Promise<readonly T[]> =>
  (await Promise.all(rows.map(async (row) => listOf(await toRecord(row, io))))).flat();

/** A stream that is a list of the tool: its rows by pages and by ids, and the record of each. */
export const listStream = <R, T extends FamilyRecord, S>({
  pages,
  key,
  toRecord,
  byIds,
  delta = false,
  ...rest
}: ListStream<R, T, S>): SourceStream<T, S> => ({
  ...rest,
  delta,
  readPage: readPages(pages, { key, toRecord }),
  readByIds: async (io, ids) => (ids.length === 0 ? [] : recordsOf(io, await byIds(io, ids), toRecord)),
});

export interface ChildStream<R, T extends FamilyRecord, S>
  extends Omit<SourceStream<T, S>, "readPage" | "readByIds" | "perParent" | "delta"> {
  readonly delta?: boolean;
  /** The parent's stream. */
  readonly perParent: string;
  key(row: R): Key;
  /** All rows of a parent. A parent that is gone (404, 410) has none. */
  list(io: Io<S>, parentId: string, at: At): Promise<readonly R[]>;
  toRecord(row: R, io: Io<S>): Made<T> | Promise<Made<T>>;
  byIds(io: Io<S>, ids: readonly string[]): Promise<readonly R[]>;
}

/** A stream of which the tool lists the records of one parent at a time, all at once. */
export const childStream = <R, T extends FamilyRecord, S>({
  list,
  ...rest
}: ChildStream<R, T, S>): SourceStream<T, S> =>
  listStream<R, T, S>({
    ...rest,
    pages: (rows) => async (io, at) => {
      const own = await recover(list(io, at.parentId ?? "", at), hasStatus(404, 410), () => []);
      return toPage(rows, io, own, null);
    },
  });
