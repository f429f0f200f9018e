import type { Cursor, FamilyRecord } from "@portage/connector-kit";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { type Position, positionAfter, type TaskEnd } from "../chunk/task.ts";
import { isRefusedRead } from "../copy/read-by-ids.ts";
import { copiedReader } from "../copy/read-source.ts";
import { type LedgerRow, listRowsOf } from "../ledger/store-ledger.ts";
import { markCompared } from "../ledger/store-sweep.ts";
import { type Comparison, compareCopies, countComparisons, isBehind } from "./compare-copies.ts";

/** A position of the check in the source's pages; null: at their start. The position after them is that of a ledger row. */
interface InPages {
  readonly pages: Cursor | null;
}

export const isInPages = (place: unknown): place is InPages =>
  typeof place === "object" && place !== null && "pages" in place;

export const pagesFromStart: Position = { at: { pages: null } satisfies InPages };

/** Before the first id. */
const rowsFromStart: Position = { at: "" };

const readPage = async (ctx: ChunkContext, at: Cursor | null) => {
  try {
    return await copiedReader(ctx)(at);
  } catch (error) {
    if (!isRefusedRead(error)) throw error;
    return null;
  }
};

/**
 * A record that the page shows in another version than was copied: the page may be older than the record, or the record changed.
 * Its id decides.
 */
const isSettled = ({ verdict }: Comparison) => verdict.kind !== "changed";

export type PageCompared =
  | { readonly kind: "compared"; readonly next: Position; readonly count: number; readonly waitMs: number }
  | Extract<TaskEnd, { kind: "fenced" | "more" | "halted" }>;

/**
 * Compares the copies of the records on one page of the source, some at a time, each of which commits by itself. A page is
 * compared to its end, since the next chunk would have to read it again, unless a person pauses or stops the run: a page of files
 * can take an hour.
 */
export const comparePage = async (
  ctx: ChunkContext,
  { pages: at }: InPages,
  which: { readonly isCompared: (row: LedgerRow) => boolean; readonly atATime: number },
  book: TallyBook,
): Promise<PageCompared> => {
  const { db, lease, times } = ctx;
  const page = await readPage(ctx, at);
  // A tool that refuses a page may show the records one by one.
  const next = page === null || page.next === null ? rowsFromStart : positionAfter({ pages: page.next });
  const records = new Map((page?.items ?? []).map((record): [string, FamilyRecord] => [record.id, record]));
  // A copy that a run could not bring up to date is judged by what the source has now.
  const rows = (await listRowsOf(db, lease, [...records.keys()])).filter(
    (row) => which.isCompared(row) && !isBehind(row),
  );
  let count = 0;
  for (let from = 0; from === 0 || from < rows.length; from += which.atATime) {
    if (from > 0 && ctx.signal.aborted) return { kind: "more" };
    const some = rows.slice(from, from + which.atATime);
    const own = some.flatMap(({ sourceId }) => records.get(sourceId) ?? []);
    const compared = await compareCopies(ctx, some, { records: own, unreadable: [], gone: [] });
    const settled = compared.filter(isSettled);
    countComparisons(book, settled);
    const isLast = from + which.atATime >= rows.length;
    const marked = {
      ids: settled.map(({ sourceId }) => sourceId),
      tallies: book.all(),
      ...(isLast && { cursor: { to: next } }),
    };
    const wanted = await markCompared(db, lease, marked, times);
    if (wanted === undefined) return { kind: "fenced" };
    if (!isLast && wanted !== "run") return { kind: "halted", wanted };
    count += settled.length;
  }
  return { kind: "compared", next, count, waitMs: page?.waitMs ?? 0 };
};
