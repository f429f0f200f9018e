import type { Io } from "../io.ts";
import type { At, Cursor, Page } from "../page.ts";
import { type Key, type Rows, toPage } from "./to-page.ts";

interface Fetched<R> {
  readonly rows: readonly R[];
  readonly total?: number;
}

interface OffsetPager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  /** Rows from `offset` on, at most `size`, in one stable order. */
  fetch(io: Io<S>, at: At, where: { offset: number; size: number }): Promise<Fetched<R>>;
  /**
   * True when the order is that of the key, ascending: a shift is then mended by stepping back a little. False: by
   * starting over, which the ledger makes cheap.
   */
  readonly sortedByKey: boolean;
}

interface Place {
  readonly offset: number;
  /** The key of the last row that was given out. */
  readonly anchor: Key | null;
  /** How many times in a row it had to step back. */
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

/** Where to look after the anchor was not where it should be. */
const stepBack = ({ offset, anchor, back }: Place, size: number, sorted: boolean): Cursor =>
  sorted && offset > 0
    ? cursorOf({ offset: Math.max(0, offset - size * 2 ** back), anchor, back: back + 1 })
    : {};

/**
 * Offsets shift when rows before them are deleted or move. So each page re-reads the last row before it: if another
 * one stands there, rows have moved past us, and we go back to where none can be missing.
 */
export const offsetPager =
  <R, T, S>(pager: OffsetPager<R, T, S>) =>
  async (io: Io<S>, at: At): Promise<Page<T>> => {
    const { size, key, sortedByKey } = pager;
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
    // While stepping back, what was given out before is not given out again.
    const unseen = sortedByKey && anchor !== null ? fresh.filter((row) => key(row) > anchor) : fresh;
    const next = cursorOf({ offset: end, anchor: key(last), back: 0 });
    return toPage(pager, io, unseen, ended ? null : next);
  };
