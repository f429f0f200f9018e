import type { ChunkContext } from "../chunk/chunk-context.ts";
import type { Batch } from "../chunk/lease.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { Budget, TaskEnd } from "../chunk/task.ts";
import { copyPage } from "../copy/copy-page.ts";
import { readListed } from "../copy/page-reader.ts";
import { settleDoubt } from "../copy/settle-doubt.ts";
import { listMissing } from "../ledger/store-ledger.ts";

const idsPerPage = 100;

/** Copies those of the listed ids that have no row; undefined: all of them are settled. */
export type CopyMissing = (ids: readonly string[]) => Promise<TaskEnd | undefined>;

/** Begins with the batch in doubt, if there is one. */
export const copyMissingFor = (ctx: ChunkContext, book: TallyBook, budget: Budget): CopyMissing => {
  const { db, lease } = ctx;
  let doubt: Batch | null = lease.batch;
  return async (ids) => {
    // What stays listed although its page was settled, such as a record that the source lists and does not show, is not tried again.
    const tried = new Set<string>();
    for (;;) {
      if (doubt) {
        const settled = await settleDoubt(ctx, doubt, book);
        if (settled.kind === "fenced") return settled;
        if (settled.kind === "wait") return { kind: "later", delayMs: settled.ms };
      }
      doubt = null;
      if (ids.length === 0) return undefined;
      const untried = ids.filter((id) => !tried.has(id));
      const missing = (await listMissing(db, lease, untried)).slice(0, idsPerPage);
      if (missing.length === 0) return undefined;
      if (budget.isSpent()) return { kind: "more" };
      const page = await readListed(ctx, missing);
      // A record gone by now existed a moment ago: it gets a row that says so, and counts as seen.
      const end = await copyPage(ctx, page, book);
      if (end.kind === "fenced" || end.kind === "halted") return end;
      budget.done.written += end.counts.created;
      if (end.error) throw end.error;
      doubt = end.kind === "open" ? end.inDoubt : null;
      if (end.kind === "moved") for (const id of missing) tried.add(id);
      if (missing.length < idsPerPage && end.kind === "moved") return undefined;
    }
  };
};
