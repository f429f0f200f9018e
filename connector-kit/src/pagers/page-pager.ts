import type { Io } from "../io.ts";
import type { At, Page } from "../page.ts";
import { offsetPager } from "./offset-pager.ts";
import { type Rows, sizeAt } from "./to-page.ts";

interface PagePager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  /** Page `page`, from 1, of pages of `size` rows; the tool must honour both. */
  fetch(
    io: Io<S>,
    at: At,
    where: { page: number; size: number },
  ): Promise<{ rows: readonly R[]; total?: number }>;
  readonly sortedByKey: boolean;
}

/**
 * Page numbers are offsets in disguise. The row before a page is page number `offset` with a page size of one; the
 * pager reads it after the page, so that it detects a shift before either read.
 */
export const pagePager = <R, T, S>(pager: PagePager<R, T, S>): ((io: Io<S>, at: At) => Promise<Page<T>>) => {
  const { size: usual, fetch, key, toRecord, sortedByKey } = pager;
  return offsetPager<R, T, S>({
    size: usual,
    key,
    toRecord,
    sortedByKey,
    async fetch(io, at, { offset, size: length }) {
      const size = sizeAt(at, usual);
      const isFirst = length === size;
      if (isFirst) return fetch(io, at, { page: 1, size });
      const start = offset + 1;
      const skip = start % size;
      // After a short page the start is inside a page, whose first rows were already returned.
      const found = await fetch(io, at, { page: Math.floor(start / size) + 1, size });
      const before = await fetch(io, at, { page: start, size: 1 });
      return { ...found, rows: [...before.rows.slice(0, 1), ...found.rows.slice(skip)] };
    },
  });
};
