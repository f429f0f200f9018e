import { ConnectorError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { At, Cursor } from "../page.ts";
import type { ReadPage } from "./pages.ts";
import { type Key, type Rows, sizeAt, toPage } from "./to-page.ts";

interface Window {
  /** Only rows changed at or after it; null: all. */
  readonly from: string | null;
  readonly page: number;
  readonly size: number;
}

interface WindowPager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  /** The tool answers no page after this one. */
  readonly maxPages: number;
  /** As `fetch` takes it: an ISO moment, in the precision of the tool. */
  changedAt(row: R): string;
  /** A page, from 1, of the rows in the order of their change, the oldest first; those of one moment in a stable order. */
  fetch(io: Io<S>, at: At, window: Window): Promise<readonly R[]>;
  /**
   * For tools where more rows than `size * maxPages` can have one moment: the rows of exactly this moment whose key is greater
   * than `after`, in the order of the key.
   */
  fetchMoment?(
    io: Io<S>,
    moment: string,
    where: { readonly after: Key | null; readonly size: number },
  ): Promise<readonly R[]>;
}

interface Place {
  readonly from: string | null;
  readonly page: number;
  /** The key of the last row of the page before. */
  readonly anchor: Key | null;
  /** True: the rows of `from` alone, after `anchor`. */
  readonly moment: boolean;
  /** The keys of rows of the moment `from` that came before. */
  readonly seen: readonly string[];
}

/** Between the keys in a cursor, which is flat. */
const between = "\n";

const placeOf = (cursor: Cursor | null, since: Date | null): Place => ({
  from: typeof cursor?.from === "string" ? cursor.from : (since?.toISOString() ?? null),
  page: typeof cursor?.page === "number" ? cursor.page : 1,
  anchor: typeof cursor?.anchor === "string" || typeof cursor?.anchor === "number" ? cursor.anchor : null,
  moment: cursor?.moment === true,
  seen: typeof cursor?.seen === "string" ? cursor.seen.split(between) : [],
});

const cursorOf = ({ from, page, anchor, moment, seen }: Place): Cursor => ({
  ...(from === null ? {} : { from }),
  ...(page === 1 ? {} : { page }),
  ...(anchor === null ? {} : { anchor }),
  ...(moment ? { moment } : {}),
  ...(seen.length === 0 ? {} : { seen: seen.join(between) }),
});

const after = (moment: string): string => new Date(Date.parse(moment) + 1).toISOString();

const tooMany = () =>
  new ConnectorError({
    recovery: "abort",
    code: "too_many_at_once",
    message: "More records changed at one moment than the tool lists.",
  });

/**
 * For lists by time of change that end after some pages. Each page starts a new window at the last moment of the page before,
 * so rows that change meanwhile shift no others, and the cap is never reached; the cursor holds the keys of that moment's rows,
 * which are left out the second time. Only where one moment fills a whole page does the pager turn pages, and checks the row before each for a
 * shift.
 */
export const windowPager = <R, T, S>(pager: WindowPager<R, T, S>): ReadPage<T, S> => {
  const read: ReadPage<T, S> = async (io, at) => {
    const { key, changedAt, fetch, fetchMoment, maxPages } = pager;
    const size = sizeAt(at, pager.size);
    const place = placeOf(at.cursor, at.since);
    const { from, page, anchor } = place;
    const isAt = (row: R, moment: string | null) =>
      moment !== null && Date.parse(changedAt(row)) === Date.parse(moment);
    const before = new Set(place.seen);
    const unseen = (rows: readonly R[]) =>
      rows.filter((row) => !(isAt(row, from) && before.has(String(key(row)))));
    if (place.moment && fetchMoment && from !== null) {
      const rows = await fetchMoment(io, from, { after: anchor, size });
      const last = rows.at(-1);
      const next: Place =
        last === undefined
          ? { from: after(from), page: 1, anchor: null, moment: false, seen: [] }
          : { ...place, anchor: key(last) };
      return toPage(pager, io, unseen(rows), cursorOf(next));
    }
    const rows = await fetch(io, at, { from, page, size });
    if (page > 1) {
      // Read after the page, so that it shows a shift before either of the two.
      const earlier = await fetch(io, at, { from, page: page - 1, size });
      const end = earlier.at(-1);
      if (end === undefined || key(end) !== anchor)
        return read(io, { ...at, cursor: cursorOf({ ...place, page: 1, anchor: null }) });
    }
    const last = rows.at(-1);
    if (last === undefined) return { records: [], next: null };
    const latest = changedAt(last);
    const isLater = from === null || Date.parse(latest) > Date.parse(from);
    const fresh = unseen(rows);
    // Of the last moment, now or before.
    const seen = [
      ...(isLater ? [] : place.seen),
      ...fresh.filter((row) => isAt(row, latest)).map((row) => String(key(row))),
    ];
    const next: Place = { from: latest, page: 1, anchor: null, moment: false, seen };
    if (isLater) return toPage(pager, io, fresh, cursorOf(next));
    // All rows are of the moment at which the window starts.
    if (rows.length < size) return toPage(pager, io, fresh, null);
    if (fetchMoment) return toPage(pager, io, fresh, cursorOf({ ...next, moment: true }));
    if (page === maxPages) throw tooMany();
    const onward = cursorOf({ ...place, page: page + 1, anchor: key(last), seen });
    return fresh.length === 0 ? read(io, { ...at, cursor: onward }) : toPage(pager, io, fresh, onward);
  };
  return read;
};
