import type { ChunkContext } from "../chunk/chunk-context.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { type Budget, isAtEnd, type Position, positionAfter, cursorOf, type TaskEnd } from "../chunk/task.ts";
import { idReader } from "../copy/read-source.ts";
import { copyMissingFor } from "./copy-missing.ts";
import { markSwept, unaccounted } from "../ledger/store-sweep.ts";
import { isTouchedSweep, sweepTouched } from "./sweep-touched.ts";

/**
 * Walks the source's ids once more, independently: copies what the copy missed because rows moved under it, and counts
 * what it sees. The report's `source` is this count.
 */
export const sweepTask = async (ctx: ChunkContext, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times } = ctx;
  if (isTouchedSweep(lease.slice)) return sweepTouched(ctx, lease.slice, book, budget);
  const read = idReader(ctx);
  const copyMissing = copyMissingFor(ctx, book, budget);
  let at = lease.cursor as Position;
  const inDoubt = await copyMissing([]);
  if (inDoubt) return inDoubt;
  for (;;) {
    if (isAtEnd(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const page = await read(cursorOf(at));
    budget.spend();
    const ended = await copyMissing(page.ids);
    if (ended) return ended;
    // Nothing to mark: the end of the partition says it all.
    if (page.ids.length === 0 && page.next === null) return { kind: "ended", tallies: book.all() };
    const next = positionAfter(page.next);
    const swept = await markSwept(db, lease, { ids: page.ids, cursor: next, tallies: book.all() }, times);
    if (swept === undefined) return { kind: "fenced" };
    if (swept.unaccounted > 0) book.count(unaccounted, swept.unaccounted);
    budget.done.read += swept.marked;
    if (page.waitMs > 0) return { kind: "later", delayMs: page.waitMs };
    at = next;
  }
};
