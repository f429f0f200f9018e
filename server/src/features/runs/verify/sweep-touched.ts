import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";
import { noCounts } from "../chunk/lease.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { type Budget, cursorOf, isAtEnd, type Position, type TaskEnd } from "../chunk/task.ts";
import { idReader, type ParentsSlice } from "../copy/read-source.ts";
import { settle } from "../ledger/store-settle.ts";
import { copyMissingFor } from "./copy-missing.ts";
import { carryOver, hasSweptUp, markRows } from "../ledger/store-sweep.ts";

/** Of a stream that changes with its parent, in a delta. */
export interface TouchedSweep extends ParentsSlice {
  readonly touched: true;
  /** The last run whose sweep saw the whole stream. */
  readonly sweptBefore: number;
}

export const isTouchedSweep = (slice: unknown): slice is TouchedSweep =>
  typeof slice === "object" && slice !== null && "sweptBefore" in slice;

/** First the touched parents, at `late`, if they must be asked again; then the rows after `carry`. */
type At = { readonly late: unknown } | { readonly carry: string | null };

const rowsPerPage = 1_000;

/**
 * Counts such a stream without asking for each parent again: the copy has read the touched parents to their end, and marked what
 * it saw; rows of the others keep the mark of the sweep before. If the parents' own sweep found further parents, the copy
 * missed those: then all touched ones are asked once more.
 */
export const sweepTouched = async (
  ctx: ChunkContext,
  { sweptBefore }: TouchedSweep,
  book: TallyBook,
  budget: Budget,
): Promise<TaskEnd> => {
  const { db, lease, times } = ctx;
  const read = idReader(ctx);
  const copyMissing = copyMissingFor(ctx, book, budget);
  const unsettled = await copyMissing([]);
  if (unsettled) return unsettled;

  const begin = async (): Promise<At> => {
    const { perParent = "" } = pairOf(ctx).from;
    return (await hasSweptUp(db, lease.runId, perParent)) ? { late: null } : { carry: null };
  };

  let position = lease.cursor as Position;
  for (;;) {
    if (isAtEnd(position)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const at = (cursorOf(position) as At | null) ?? (await begin());
    budget.spend();
    if ("carry" in at) {
      const page = { after: at.carry, limit: rowsPerPage, sweptBefore, tallies: book.all() };
      const carried = await carryOver(db, lease, page, times);
      if (!carried) return { kind: "fenced" };
      budget.done.read += carried.seen;
      position = carried.last === null ? { ended: true } : { at: { carry: carried.last } };
    } else {
      const page = await read(at.late);
      const ended = await copyMissing(page.ids);
      if (ended) return ended;
      await markRows(db, lease, { ids: page.ids, mark: lease.runNumber });
      const next: At = page.next === null ? { carry: null } : { late: page.next };
      const moved = {
        rows: [],
        counts: noCounts,
        tallies: book.all(),
        cursor: { to: { at: next } },
        inDoubt: null,
      };
      if (!(await settle(db, lease, moved, times))) return { kind: "fenced" };
      if (page.waitMs > 0) return { kind: "later", delayMs: page.waitMs };
      position = { at: next };
    }
  }
};
