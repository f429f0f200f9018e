import { copyPage } from "../copy/copy-page.ts";
import type { Batch } from "../chunk/lease.ts";
import { readListed } from "../copy/page-reader.ts";
import { idReader } from "../copy/read-source.ts";
import { settleDoubt } from "../copy/settle-doubt.ts";
import { listMissing } from "../ledger/store-ledger.ts";
import { markSwept, unaccounted } from "./store-sweep.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import { type Budget, isAtEnd, type Position, positionAfter, cursorOf, type TaskEnd } from "../chunk/task.ts";

const idsPerPage = 100;

/**
 * Walks the source's ids once more, independently: copies what the copy missed because rows moved under it, and counts
 * what it sees. The report's `source` is this count.
 */
export const sweepTask = async (ctx: ChunkContext, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times } = ctx;
  const read = idReader(ctx);
  let at = lease.cursor as Position;
  let doubt: Batch | null = lease.batch;

  /** Copies records without a row. Undefined: all of them are settled. */
  const copyMissing = async (ids: readonly string[]): Promise<TaskEnd | undefined> => {
    for (;;) {
      if (doubt) {
        const settled = await settleDoubt(ctx, doubt, book);
        if (settled.kind === "fenced") return settled;
        if (settled.kind === "wait") return { kind: "later", delayMs: settled.ms };
      }
      doubt = null;
      const missing = (await listMissing(db, lease, ids)).slice(0, idsPerPage);
      if (missing.length === 0) return undefined;
      if (budget.isSpent()) return { kind: "more" };
      const page = await readListed(ctx, missing);
      // A record gone by now existed a moment ago: it gets a row that says so, and counts as seen.
      const end = await copyPage(ctx, page, book);
      if (end.kind === "fenced" || end.kind === "halted") return end;
      budget.done.written += end.counts.created;
      if (end.error) throw end.error;
      doubt = end.kind === "open" ? end.inDoubt : null;
      if (missing.length < idsPerPage && end.kind === "moved") return undefined;
    }
  };

  for (;;) {
    if (doubt) {
      const ended = await copyMissing([]);
      if (ended) return ended;
    }
    if (isAtEnd(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const page = await read(cursorOf(at));
    budget.spend();
    const ended = await copyMissing(page.ids);
    if (ended) return ended;
    const next = positionAfter(page.next);
    const swept = await markSwept(db, lease, { ids: page.ids, cursor: next, tallies: book.all() }, times);
    if (swept === undefined) return { kind: "fenced" };
    if (swept.unaccounted > 0) book.count(unaccounted, swept.unaccounted);
    budget.done.read += swept.marked;
    at = next;
  }
};
