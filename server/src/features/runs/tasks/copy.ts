import { copyPage, type Keep } from "../copy-page.ts";
import type { Batch } from "../lease.ts";
import { type PageReader, pageReader } from "../page-reader.ts";
import { settleDoubt } from "../settle-doubt.ts";
import type { TallyBook } from "../tallies.ts";
import type { Workplace } from "../workplace.ts";
import { type Budget, hasEnded, type Place, placeAfter, placeAt, type TaskEnd } from "./task.ts";

/**
 * Copies a stream: settle, read, claim, write, settle, page by page. The next page is read while this one is written.
 * `keep`: what else is done with what was copied (the sample's review).
 */
export const createCopyTask =
  (keep: Keep) =>
  async (place: Workplace, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
    const read = pageReader(place);
    let at = place.lease.cursor as Place;
    let doubt: Batch | null = place.lease.batch;
    let ahead: ReturnType<PageReader> | null = null;
    for (;;) {
      if (doubt && place.plant !== "skip-settle") {
        const settled = await settleDoubt(place, doubt, book);
        if (settled.kind === "fenced") return settled;
        if (settled.kind === "wait") return { kind: "later", delayMs: settled.ms };
        budget.done.written += settled.found;
      }
      doubt = null;
      if (hasEnded(at)) return { kind: "ended" };
      if (budget.isSpent()) return { kind: "more" };
      if (place.lease.wanted !== "run") return { kind: "halted", wanted: place.lease.wanted };
      const page: Awaited<ReturnType<PageReader>> = await (ahead ?? read(placeAt(at)));
      ahead = page.next !== null && budget.spend() ? read(page.next) : null;
      // It is awaited later, or never: its error must not end the process.
      ahead?.catch(() => {});
      const end = await copyPage(place, { ...page, cursor: { to: placeAfter(page.next) } }, book, keep);
      if (end.kind === "fenced" || end.kind === "halted") return end;
      budget.done.read += end.counts.read;
      budget.done.written += end.counts.created + end.counts.updated;
      if (end.error) throw end.error;
      if (end.kind === "moved") at = placeAfter(page.next);
      else {
        ahead = null;
        doubt = end.inDoubt;
      }
    }
  };
