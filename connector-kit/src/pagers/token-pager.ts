import type { Io } from "../io.ts";
import type { At, Page } from "../page.ts";
import { type Rows, toPage } from "./to-page.ts";

interface TokenPager<R, T, S> extends Rows<R, T, S> {
  /** `token` is null for the first page; `next` is null after the last. */
  fetch(io: Io<S>, at: At, token: string | null): Promise<{ rows: readonly R[]; next: string | null }>;
}

/** For tools that return an opaque token, or the URL, of the next page. */
export const tokenPager =
  <R, T, S>(pager: TokenPager<R, T, S>) =>
  async (io: Io<S>, at: At): Promise<Page<T>> => {
    const token = typeof at.cursor?.token === "string" ? at.cursor.token : null;
    const { rows, next } = await pager.fetch(io, at, token);
    return toPage(pager, io, rows, next === null ? null : { token: next });
  };
