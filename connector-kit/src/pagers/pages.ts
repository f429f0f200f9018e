import type { Io } from "../io.ts";
import type { At, Cursor, Page } from "../page.ts";
import type { Rows } from "./to-page.ts";

export type ReadPage<T, S> = (io: Io<S>, at: At) => Promise<Page<T>>;

/** A list of the tool, whatever becomes of its rows: `(rows) => keysetPager({ ...rows, size, fetch })`. */
export type Pages<R, S> = <T>(rows: Rows<R, T, S>) => ReadPage<T, S>;

/** Several lists one after another, such as live and archived tickets; the cursor names the current one. */
export const inPhases = <T, S>(phases: readonly ReadPage<T, S>[]): ReadPage<T, S> => {
  const readPhase: ReadPage<T, S> = async (io, at) => {
    const { phase, ...rest } = (at.cursor ?? {}) as Record<string, Cursor[string]>;
    const now = typeof phase === "number" ? phase : 0;
    const read = phases[now];
    if (!read) return { records: [], next: null };
    const cursor = Object.keys(rest).length > 0 ? rest : null;
    const page = await read(io, { ...at, cursor });
    if (page.next) return { ...page, next: { ...page.next, phase: now } };
    const next = now + 1 < phases.length ? { phase: now + 1 } : null;
    const isEmpty = page.records.length === 0 && !page.unreadable;
    return isEmpty && next ? readPhase(io, { ...at, cursor: next }) : { ...page, next };
  };
  return readPhase;
};
