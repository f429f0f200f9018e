import type { Io } from "../io.ts";
import type { At, Cursor, Page } from "../page.ts";
import { type Key, type Rows, sizeAt, toPage } from "./to-page.ts";

interface KeysetPager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  /** Rows whose key is greater than `after`, in the order of the key, at most `size`. */
  fetch(io: Io<S>, at: At, where: { after: Key | null; size: number }): Promise<readonly R[]>;
}

/** A cursor that reads the keys after `after` up to and including `until`: a slice of the stream. */
export const keysetSlice = (after: Key | null, until: Key | null): Cursor => ({
  ...(after === null ? {} : { after }),
  ...(until === null ? {} : { until }),
});

const isKey = (value: unknown): value is Key => typeof value === "string" || typeof value === "number";

/**
 * The preferred pager: by an immutable key, so that concurrent deletions, changes and additions lose no rows. It ends
 * at an empty page, since a tool can return fewer rows than requested.
 */
export const keysetPager =
  <R, T, S>(pager: KeysetPager<R, T, S>) =>
  async (io: Io<S>, at: At): Promise<Page<T>> => {
    const after = isKey(at.cursor?.after) ? at.cursor.after : null;
    const until = isKey(at.cursor?.until) ? at.cursor.until : null;
    const found = await pager.fetch(io, at, { after, size: sizeAt(at, pager.size) });
    const rows = until === null ? found : found.filter((row) => pager.key(row) <= until);
    const last = rows.at(-1);
    const ended = last === undefined || rows.length < found.length || pager.key(last) === until;
    return toPage(pager, io, rows, ended ? null : keysetSlice(pager.key(last), until));
  };
