import { isOwnCopy, mayExist } from "../ledger/row-state.ts";
import { noCounts } from "../chunk/lease.ts";
import { abandonRemoval, candidatesOf, findSentCopies, openRemovals, removeCopies } from "./remove-copies.ts";
import { notShown, partCandidates, type RemovalCandidate, undone } from "./removable.ts";
import { keepNamedBySample } from "./keep-named-by-sample.ts";
import { checkOnly, namedStays } from "./removal-order.ts";
import { type LedgerRow, listRows, listOutsideSample } from "../ledger/store-ledger.ts";
import { endRemoval, forgetRemovals } from "../ledger/store-shared-accounts.ts";
import { settle } from "../ledger/store-settle.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { pairOf, sharedAccount, type ChunkContext } from "../chunk/chunk-context.ts";
import { type Budget, isAtEnd, type Position, type TaskEnd } from "../chunk/task.ts";
import { isTree, passAfter, passAt } from "./removal-pass.ts";

const rowsPerPage = 100;

const isOurs = (row: LedgerRow) => isOwnCopy(row) || mayExist(row);

/** Whether it was counted at its creation: a write without an answer never was. */
const wasCounted = (row: LedgerRow) => row.destId !== null && isOwnCopy(row);

const idsOf = (candidates: readonly RemovalCandidate[]) => candidates.map(({ id }) => id);

/**
 * Removes copies, and only untouched ones of ours. When a sample is made anew: only those no longer in it. Checks
 * unknown ones anew: by then each is gone, or still there.
 */
export const removeTask = async (ctx: ChunkContext, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times, destination } = ctx;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const restMs = lease.batch ? lease.batch.deadlineInMs + lateWriteMs + findLagMs : 0;
  if (restMs > 0) return { kind: "later", delayMs: restMs };
  if (lease.wanted === "stop" && !(await abandonRemoval(db, lease, times))) return { kind: "fenced" };
  if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
  // What a chunk announced that ended with its process.
  await forgetRemovals(db, lease);
  if (lease.slice === namedStays) return keepNamedBySample(ctx, book, budget);
  let at = lease.cursor as Position;
  const list = lease.kind === "sample" ? listOutsideSample : listRows;
  const onlyLooks = lease.slice === checkOnly;
  const inPasses = !onlyLooks && isTree(pairOf(ctx).from.stream);
  for (;;) {
    if (isAtEnd(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    const pass = passAt(at, inPasses);
    const listed = await list(db, lease, { after: pass.after, limit: rowsPerPage });
    budget.spend();
    const last = listed.length < rowsPerPage ? null : (listed.at(-1)?.sourceId ?? null);
    // What an earlier pass of this run has kept for good.
    const rows = listed.filter((row) => row.state !== "kept" || row.runNumber !== lease.runNumber);
    const found = await findSentCopies(ctx, rows);
    const candidates = candidatesOf(lease, rows.filter(isOurs), found);
    const { free, settled } = await partCandidates(ctx, candidates);
    if (onlyLooks) {
      // Records what must stay with kept parts; the outcome of each part shows when its owner is gone.
      const next = passAfter(pass, last);
      const looked = { rows: [], counts: noCounts, tallies: book.all(), cursor: { to: next }, inDoubt: null };
      if (!(await settle(db, lease, looked, times))) return { kind: "fenced" };
      await endRemoval(db, lease, sharedAccount(destination), idsOf(candidates));
      at = next;
      continue;
    }
    const taken = await removeCopies(ctx, free, pass.isLast);
    if (taken.kind === "fenced") return taken;
    const done = taken.rows.filter((row) => row !== null);
    const final = pass.isLast ? done : done.filter(({ state }) => state !== "kept");
    const next = passAfter(
      {
        ...pass,
        removed: pass.removed || final.some(({ state }) => state === "undone"),
        left: pass.left || final.length < done.length,
      },
      last,
    );
    const open = openRemovals(free, taken.rows);
    const hidden = rows.filter((row) => found.get(row.sourceId)?.kind === "refused");
    const ours = new Set([...candidates.map(({ row }) => row), ...hidden].map(({ sourceId }) => sourceId));
    // None of these is in the destination because of us.
    const rest = rows.filter((row) => !ours.has(row.sourceId) && row.state !== "undone").map(undone);
    const all = [...settled, ...final, ...hidden.map(notShown), ...rest];
    const keptRows = all.filter(({ state }) => state === "kept");
    for (const { reason } of keptRows) book.reason("kept", reason ?? "");
    const made = new Set(rows.filter(wasCounted).map(({ sourceId }) => sourceId));
    const removed = all.filter(({ state, sourceId }) => state === "undone" && made.has(sourceId)).length;
    // Found by its key, and it stays: it counts from now on.
    const created = keptRows.filter(({ sourceId, destId }) => destId !== null && !made.has(sourceId)).length;
    const held = await settle(
      db,
      lease,
      {
        rows: all,
        counts: { ...noCounts, read: all.length, created, removed, kept: keptRows.length },
        tallies: book.all(),
        ...(open === null ? { cursor: { to: next } } : {}),
        inDoubt: open,
        // A removed record points to nothing: a waiting link would bring it back.
        links: {
          of: all.filter(({ state }) => state === "undone").map(({ sourceId }) => sourceId),
          pending: [],
        },
      },
      times,
    );
    if (!held) return { kind: "fenced" };
    // Open removals stay announced.
    if (open === null) await endRemoval(db, lease, sharedAccount(destination), idsOf(candidates));
    budget.done.read += all.length;
    if (open !== null) return { kind: "later", delayMs: lateWriteMs + findLagMs };
    at = next;
  }
};
