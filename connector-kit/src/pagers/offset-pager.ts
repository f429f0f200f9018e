import type { Io } from "../io.ts";
import type { At, Cursor, Page } from "../page.ts";
import { type Key, type Rows, sizeAt, toPage } from "./to-page.ts";

interface Fetched<R> {
  readonly rows: readonly R[];
  readonly total?: number;
}

interface OffsetPager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  /** Rows from `offset` on, at most `size`, in one stable order. */
  fetch(io: Io<S>, at: At, where: { offset: number; size: number }): Promise<Fetched<R>>;
  /**
   * True if rows are sorted by key, ascending: the pager then recovers from a shift by stepping back a little. False:
   * it starts over, which the ledger makes cheap.
   */
  readonly sortedByKey: boolean;
}

interface Place {
  readonly offset: number;
  /** The key of the last returned row. */
  readonly anchor: Key | null;
  /** The number of consecutive steps back. */
  readonly back: number;
}

const placeOf = (cursor: Cursor | null): Place => ({
  offset: typeof cursor?.offset === "number" ? cursor.offset : 0,
  anchor: typeof cursor?.anchor === "string" || typeof cursor?.anchor === "number" ? cursor.anchor : null,
  back: typeof cursor?.back === "number" ? cursor.back : 0,
});

const cursorOf = ({ offset, anchor, back }: Place): Cursor => ({
  offset,
  ...(anchor === null ? {} : { anchor }),
  ...(back === 0 ? {} : { back }),
});

/** The next cursor after the anchor has moved. */
const stepBack = ({ offset, anchor, back }: Place, size: number, sorted: boolean): Cursor =>
  sorted && offset > 0
    ? cursorOf({ offset: Math.max(0, offset - size * 2 ** back), anchor, back: back + 1 })
    : {};

/**
 * Offsets shift when earlier rows are deleted or move. So each page re-reads the row before it: if that row has
 * changed, rows have shifted past the offset, and the pager goes back far enough to miss none.
 */
export const offsetPager =
  <R, T, S>(pager: OffsetPager<R, T, S>) =>
  async (io: Io<S>, at: At): Promise<Page<T>> => {
    const { key, sortedByKey } = pager;
    const size = sizeAt(at, pager.size);
    const place = placeOf(at.cursor);
    const { offset, anchor } = place;
    const overlap = offset > 0 ? 1 : 0;
    const { rows, total } = await pager.fetch(io, at, { offset: offset - overlap, size: size + overlap });
    const before = overlap === 1 ? rows[0] : undefined;
    if (overlap === 1 && anchor !== null) {
      const inPlace = before !== undefined && (sortedByKey ? key(before) <= anchor : key(before) === anchor);
      if (!inPlace) return { records: [], next: stepBack(place, size, sortedByKey) };
    }
    const fresh = rows.slice(overlap);
    const last = fresh.at(-1);
    if (last === undefined) return { records: [], next: null };
    const end = offset + fresh.length;
    const ended = total !== undefined && end >= total;
    // After stepping back, skip rows that were already returned.
    const unseen = sortedByKey && anchor !== null ? fresh.filter((row) => key(row) > anchor) : fresh;
    const next = cursorOf({ offset: end, anchor: key(last), back: 0 });
    return toPage(pager, io, unseen, ended ? null : next);
  };
