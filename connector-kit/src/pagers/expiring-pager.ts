import { isConnectorError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { At } from "../page.ts";
import type { ReadPage } from "./pages.ts";
import { type Key, type Rows, toPage } from "./to-page.ts";

interface ExpiringPager<R, T, S> extends Rows<R, T, S> {
  /** Where the list can start again: an id or a moment of the row. Rows of an equal anchor come again. */
  anchor(row: R): Key;
  /** The page of the token; without a token, the first page at or after the anchor; without either, the first page. */
  fetch(
    io: Io<S>,
    at: At,
    where: { readonly token: string | null; readonly anchor: Key | null },
  ): Promise<{ readonly rows: readonly R[]; readonly next: string | null }>;
  /** Whether the tool no longer knows the token; by default 400, 404, 410 and 422. */
  isExpired?(error: unknown): boolean;
}

export const isExpiredToken = (error: unknown): boolean =>
  isConnectorError(error) && error.status !== undefined && [400, 404, 410, 422].includes(error.status);

/** For tokens that expire: a run that paused for days goes on after the last row instead of failing. */
export const expiringPager =
  <R, T, S>(pager: ExpiringPager<R, T, S>): ReadPage<T, S> =>
  async (io, at) => {
    const { token, anchor } = at.cursor ?? {};
    const known = {
      token: typeof token === "string" ? token : null,
      anchor: typeof anchor === "string" || typeof anchor === "number" ? anchor : null,
    };
    const { rows, next } = await pager.fetch(io, at, known).catch((error: unknown) => {
      if (known.token === null || !(pager.isExpired ?? isExpiredToken)(error)) throw error;
      return pager.fetch(io, at, { ...known, token: null });
    });
    const last = rows.at(-1);
    const now = last === undefined ? known.anchor : pager.anchor(last);
    const cursor = next === null ? null : { token: next, ...(now === null ? {} : { anchor: now }) };
    return toPage(pager, io, rows, cursor);
  };
