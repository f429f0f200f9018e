import { noCounts } from "../chunk/lease.ts";
import { partCandidates } from "../undo/removable.ts";
import { hasCopiesOf, type LedgerRow, listReplaced } from "../ledger/store-ledger.ts";
import { endRemoval, forgetRemovals } from "../ledger/store-shared-accounts.ts";
import { settle, type SettledRow } from "../ledger/store-settle.ts";
import { candidatesOf, findSentCopies, openRemovals, removeCopies } from "../undo/remove-copies.ts";
import { keepNamedPeople } from "./keep-named-people.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { pairOf, sharedAccount, type ChunkContext } from "../chunk/chunk-context.ts";
import type { RunTask, TaskEnd } from "../chunk/task.ts";

const rowsPerPage = 100;

/** The copy is gone: the row names the person who replaces it. */
const standing = ({ sourceId, sourceHash, detail }: LedgerRow): SettledRow => ({
  sourceId,
  sourceHash,
  state: detail === null ? "skipped" : "matched",
  destId: detail,
  destHash: null,
  reason: detail === null ? "user_unmatched" : null,
  detail: null,
  keyGeneration: null,
  parent: null,
});

/**
 * Removes the copies of people who have since been matched with others. A copy that can't go stays known, and is
 * reported. An interrupted chunk starts over: removed copies are no longer listed, and kept ones may be checked twice.
 */
const removeReplaced = async (ctx: ChunkContext, book: TallyBook): Promise<TaskEnd> => {
  const { db, lease, times, destination } = ctx;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  let after: string | null = null;
  // What a chunk announced that ended with its process.
  await forgetRemovals(db, lease);
  for (;;) {
    const rows = await listReplaced(db, lease, { after, limit: rowsPerPage });
    const last = rows.at(-1)?.sourceId;
    if (last === undefined) return { kind: "ended" };
    after = last;
    const found = await findSentCopies(ctx, rows);
    const candidates = candidatesOf(lease, rows, found);
    const { free, settled } = await partCandidates(ctx, candidates);
    const taken = await removeCopies(ctx, free, true);
    if (taken.kind === "fenced") return taken;
    const answered = [...settled, ...taken.rows.filter((row) => row !== null)];
    const stays = answered.filter(({ state }) => state === "kept");
    for (const { reason } of stays) book.reason("kept", reason ?? "");
    const hidden = rows.filter((row) => found.get(row.sourceId)?.kind === "refused");
    const open = openRemovals(free, taken.rows);
    const unsettled = new Set([
      ...hidden.map(({ sourceId }) => sourceId),
      ...stays.map(({ sourceId }) => sourceId),
      ...(open?.ids ?? []),
    ]);
    const gone = rows.filter(({ sourceId }) => !unsettled.has(sourceId));
    const removed = gone.filter(({ destId }) => destId !== null).length;
    const held = await settle(
      db,
      lease,
      {
        rows: gone.map(standing),
        counts: { ...noCounts, removed, kept: stays.length },
        tallies: book.all(),
        inDoubt: open,
      },
      times,
    );
    if (!held) return { kind: "fenced" };
    // Open removals stay announced.
    if (open !== null) return { kind: "later", delayMs: lateWriteMs + findLagMs };
    await endRemoval(
      db,
      lease,
      sharedAccount(destination),
      candidates.map(({ id }) => id),
    );
  }
};

/** Copies of streams that this run leaves out still point to the previous people. */
const mayPointThere = ({ db, lease, streams, mapping }: ChunkContext): Promise<boolean> =>
  hasCopiesOf(
    db,
    lease,
    streams.map(({ name }) => name).filter((name) => !mapping.includes(name)),
  );

/** Whether copies of replaced people can go: only at the end of a run that reads everything. */
const removesReplaced = async (ctx: ChunkContext): Promise<boolean> => {
  const { kind, wanted } = ctx.lease;
  if (wanted !== "run" || (kind !== "sample" && kind !== "full") || (await mayPointThere(ctx))) return false;
  const [replaced] = await listReplaced(ctx.db, ctx.lease, { after: null, limit: 1 });
  return replaced !== undefined && keepNamedPeople(ctx);
};

/**
 * Sets the links that had to wait. If the run reads everything, all records that it wrote now follow its matching of people:
 * so copies of people whom no other copy names can go.
 */
export const createLinkTask =
  (copy: RunTask): RunTask =>
  async (ctx, book, budget) => {
    const end = await copy(ctx, book, budget);
    if (pairOf(ctx).from.stream.kind !== "people") return end;
    if (end.kind === "ended" && (await removesReplaced(ctx))) return removeReplaced(ctx, book);
    // By now the batch in doubt is settled: what an earlier chunk requested can't take effect any more.
    if (end.kind === "ended" || (end.kind === "halted" && ctx.lease.wanted === "stop"))
      await forgetRemovals(ctx.db, ctx.lease);
    return end;
  };
