import type { Io } from "../io.ts";
import type { At, Cursor } from "../page.ts";
import { recover } from "../refusals.ts";
import { isExpiredToken } from "./expiring-pager.ts";
import type { ReadPage } from "./pages.ts";
import { type Rows, sizeAt, toPage } from "./to-page.ts";

interface NewestFirstPager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  /** In whole Unix seconds. */
  changedAt(row: R): number;
  /**
   * The page of the token, or the first one, of the rows that changed from `from` to `until`, both included; null: without a
   * bound. The last changed come first.
   */
  fetch(
    io: Io<S>,
    asked: {
      readonly from: number | null;
      readonly until: number | null;
      readonly token: string | null;
      readonly size: number;
    },
  ): Promise<{ readonly rows: readonly R[]; readonly next: string | null }>;
}

interface Place {
  readonly from: number | null;
  readonly until: number | null;
  readonly token: string | null;
  /** When the last row of the page before changed. */
  readonly anchor: number | null;
  /** When the first row of this pass changed. */
  readonly newest: number | null;
  /** The keys of rows of the moment `from` that the pass before returned. */
  readonly before: readonly string[];
  /** The keys of rows of the moment `newest` that this pass returned. */
  readonly seen: readonly string[];
  /** This pass has returned a row that the one before had not. */
  readonly fresh: boolean;
  readonly pass: number;
}

/** Keys in the cursor: further rows of one second come twice, which the engine recognises. */
const maxKeys = 1_000;
/** A list that still changes then is left to the sweep at the end of the run. */
const maxPasses = 20;
const between = "\n";

const numberIn = (value: Cursor[string] | undefined) => (typeof value === "number" ? value : null);
const keysIn = (value: Cursor[string] | undefined) =>
  typeof value === "string" && value !== "" ? value.split(between) : [];

const placeOf = ({ cursor, since }: At): Place => ({
  from: numberIn(cursor?.from) ?? (since ? Math.floor(since.getTime() / 1000) : null),
  until: numberIn(cursor?.until),
  token: typeof cursor?.token === "string" ? cursor.token : null,
  anchor: numberIn(cursor?.anchor),
  newest: numberIn(cursor?.newest),
  before: keysIn(cursor?.before),
  seen: keysIn(cursor?.seen),
  fresh: cursor?.fresh === true,
  pass: numberIn(cursor?.pass) ?? 1,
});

const cursorOf = ({ before, seen, ...place }: Place): Cursor =>
  Object.fromEntries(
    Object.entries({ ...place, before: before.join(between), seen: seen.join(between) }).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== "",
    ),
  );

/**
 * For lists that show the last changed first: a row that changes meanwhile moves to pages that were read already. So a pass of
 * several pages is followed by one over the rows that changed since it began, until one page has them all. An expired token
 * goes on at the moment of the last row.
 */
export const newestFirstPager =
  <R, T, S>(pager: NewestFirstPager<R, T, S>): ReadPage<T, S> =>
  async (io, at) => {
    const { key, changedAt } = pager;
    const place = placeOf(at);
    const size = sizeAt(at, pager.size);
    const ask = async (until: number | null, token: string | null) => ({
      until,
      ...(await pager.fetch(io, { from: place.from, until, token, size })),
    });
    const { rows, next, until } = await recover(
      ask(place.until, place.token),
      (error) => place.token !== null && isExpiredToken(error),
      () => ask(place.anchor, null),
    );
    const [first] = rows;
    const last = rows.at(-1);
    const newest = place.newest ?? (first === undefined ? null : changedAt(first));
    const before = new Set(place.before);
    const fresh = rows.filter((row) => changedAt(row) !== place.from || !before.has(String(key(row))));
    const now: Place = {
      ...place,
      until,
      token: next,
      newest,
      anchor: last === undefined ? place.anchor : changedAt(last),
      seen: [
        ...place.seen,
        ...rows.filter((row) => changedAt(row) === newest).map((row) => String(key(row))),
      ].slice(0, maxKeys),
      fresh: place.fresh || fresh.length > 0,
    };
    if (next !== null) return toPage(pager, io, fresh, cursorOf(now));
    const isWhole = place.newest === null;
    if (isWhole || newest === null || place.pass === maxPasses) return toPage(pager, io, fresh, null);
    const again: Place = {
      // Without news, all of that second are known; otherwise it may have more.
      from: now.fresh ? newest : newest + 1,
      before: now.fresh ? now.seen : [],
      pass: place.pass + 1,
      until: null,
      token: null,
      anchor: null,
      newest: null,
      seen: [],
      fresh: false,
    };
    return toPage(pager, io, fresh, cursorOf(again));
  };
