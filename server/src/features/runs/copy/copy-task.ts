import { inSpan } from "../../../platform/tracing.ts";
import { copyPage, type OnCopied, type PageEnd } from "./copy-page.ts";
import { type Batch, isSuspect, type Lease } from "../chunk/lease.ts";
import { markRows } from "../ledger/store-sweep.ts";
import { type PageReader, pageReader, readListed, type SourcePage } from "./page-reader.ts";
import type { ParentsSlice } from "./read-source.ts";
import { settleDoubt } from "./settle-doubt.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import { type Budget, isAtEnd, type Position, positionAfter, cursorOf, type TaskEnd } from "../chunk/task.ts";

/**
 * After so many refusals of the same kind in a row, a person must look at it; ten times as many after each time that one let the
 * run go on.
 */
const maxRefused = ({ refusalPauses }: Pick<Lease, "refusalPauses">) =>
  100 * 10 ** Math.min(refusalPauses, 9);

/** Where the copy reads parents to their end, it counts for the sweep; what a crash leaves unmarked is looked up by its id. */
const markSeen = async ({ db, lease }: ChunkContext, { records, unreadable }: SourcePage): Promise<void> => {
  if ((lease.slice as ParentsSlice | null)?.touched !== true) return;
  await markRows(db, lease, { ids: [...records, ...unreadable].map(({ id }) => id), mark: lease.runNumber });
};

/** What a retry found after a lost answer may be a part, and is no failure any more: nothing would list it again. */
const completeFound = async (
  ctx: ChunkContext,
  found: readonly string[],
  book: TallyBook,
  keep: OnCopied,
): Promise<PageEnd | null> =>
  ctx.lease.kind === "retry_failed" && found.length > 0
    ? copyPage(ctx, await readListed(ctx, found), book, keep)
    : null;

/** Nothing follows and nothing is to be written, so there is nothing to claim and to settle: the end of the partition says it all. */
const isEmptyEnd = ({ records, unreadable, gone, readNow = [], next }: SourcePage) =>
  next === null && [records, unreadable, gone, readNow].every(({ length }) => length === 0);

/**
 * Copies a stream: settle, read, claim, write, settle, page by page. Reads the next page while it writes this one.
 * `keep`: further work on copied records (the sample's review).
 */
export const createCopyTask =
  (keep: OnCopied) =>
  async (ctx: ChunkContext, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
    const read = pageReader(ctx);
    let at = ctx.lease.cursor as Position;
    let doubt: Batch | null = ctx.lease.batch;
    let ahead: ReturnType<PageReader> | null = null;
    for (;;) {
      if (doubt) {
        const settled = await settleDoubt(ctx, doubt, book);
        if (settled.kind === "fenced") return settled;
        if (settled.kind === "wait") return { kind: "later", delayMs: settled.ms };
        budget.done.written += settled.found.length;
        const end = await completeFound(ctx, settled.found, book, keep);
        if (end?.kind === "fenced" || end?.kind === "halted") return end;
        if (end?.error) throw end.error;
        doubt = end?.inDoubt ?? null;
        if (doubt) continue;
      }
      doubt = null;
      if (isAtEnd(at)) return { kind: "ended" };
      // What was read ahead is copied first: the next chunk would have to read it again.
      if (budget.isSpent() && (ahead === null || ctx.signal.aborted)) return { kind: "more" };
      if (ctx.lease.wanted !== "run") return { kind: "halted", wanted: ctx.lease.wanted };
      const page: Awaited<ReturnType<PageReader>> = await (ahead ?? read(cursorOf(at)));
      if (isEmptyEnd(page)) return { kind: "ended", tallies: book.all() };
      const goesOn = budget.spend();
      // A suspect partition has one record at work at a time: if the process ends, that one is the cause.
      const waitMs = page.waitMs ?? 0;
      ahead = page.next !== null && waitMs === 0 && goesOn && !isSuspect(ctx.lease) ? read(page.next) : null;
      // Awaited later, or never: its error must not crash the process.
      ahead?.catch(() => {});
      const settled = { ...page, cursor: { to: positionAfter(page.next) } };
      const end = await inSpan("page", { "portage.stream": ctx.lease.stream }, () =>
        copyPage(ctx, settled, book, keep),
      );
      if (end.kind === "fenced" || end.kind === "halted") return end;
      budget.done.read += end.counts.read;
      budget.done.written += end.counts.created + end.counts.updated;
      if (end.error) throw end.error;
      const refused = book.refusedInARow();
      if (refused && refused.count >= maxRefused(ctx.lease))
        return { kind: "refused", refusals: { stream: ctx.lease.stream, ...refused } };
      if (end.kind === "moved") {
        await markSeen(ctx, page);
        at = positionAfter(page.next);
        if (waitMs > 0) return { kind: "later", delayMs: waitMs };
      } else {
        ahead = null;
        doubt = end.inDoubt;
      }
    }
  };
