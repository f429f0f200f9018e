import { setTimeout as sleep } from "node:timers/promises";
import { externalKey, parentsNamed, destinationHash } from "../ledger/keys.ts";
import { isThere } from "../ledger/row-state.ts";
import { noCounts, type Batch } from "../chunk/lease.ts";
import { foundAgain } from "./plan-record.ts";
import { onSide } from "../chunk/sides.ts";
import { lookUp, targetKey } from "../ledger/store-claim.ts";
import { type SettledRow, settle } from "../ledger/store-settle.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";

export type Doubt =
  | { readonly kind: "settled"; readonly found: number }
  /** Requests of it may still take effect: retry after this time. */
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "fenced" };

/** Shorter waits happen here; a longer one ends the step. */
const longestWaitMs = 5_000;

/**
 * Settles the batch in doubt: waits until nothing of it can take effect any more, asks the destination which keys
 * exist, and records them. The others are open again: their page is read once more.
 */
export const settleDoubt = async (ctx: ChunkContext, batch: Batch, book: TallyBook): Promise<Doubt> => {
  const { db, lease, times, destination, signal } = ctx;
  const { to } = pairOf(ctx);
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const waitMs = Math.max(0, batch.deadlineInMs + lateWriteMs + findLagMs);
  if (waitMs > longestWaitMs) return { kind: "wait", ms: waitMs };
  if (waitMs > 0) await sleep(waitMs, undefined, { signal });
  const rows = await lookUp(db, lease, [
    ...batch.ids.map((id) => ({ stream: lease.stream, id })),
    ...parentsNamed(batch.parents),
  ]);
  // A copy known to the ledger is being updated, not created: its existence is certain.
  const open = batch.ids.flatMap((id, index) => {
    const row = rows.get(targetKey(lease.stream, id));
    return row && isThere(row.state) ? [] : [{ id, index }];
  });
  const asked = open.map(({ id, index }) => {
    const parentId = rows.get(batch.parents[index] ?? "")?.destId;
    return {
      key: externalKey({ ...lease, keyGeneration: lease.runNumber, sourceId: id }),
      since: batch.since,
      ...(parentId == null ? {} : { parentId }),
    };
  });
  const io = destination.io(signal);
  const there = to && asked.length > 0 ? await onSide("destination", () => to.find(io, asked)) : new Map();
  const found = open.flatMap(({ id, index }, position) => {
    const ids: readonly string[] = there.get(asked[position]?.key ?? "") ?? [];
    const [destId] = ids;
    if (ids.length > 1) book.count("found_twice", ids.length - 1);
    return destId === undefined ? [] : [{ id, index, destId }];
  });
  const now =
    to && found.length > 0
      ? await onSide("destination", () =>
          to.read(
            io,
            found.map(({ destId }) => destId),
          ),
        )
      : [];
  const settled = found.map(({ id, index, destId }, position): SettledRow => {
    const record = now[position];
    return {
      sourceId: id,
      state: "written",
      destId,
      sourceHash: batch.hashes[index] ?? null,
      destHash: record && to ? destinationHash(record, to) : null,
      reason: foundAgain,
      detail: null,
    };
  });
  const held = await settle(
    db,
    lease,
    {
      rows: settled,
      counts: { ...noCounts, created: settled.length, read: settled.length },
      tallies: book.all(),
      inDoubt: null,
    },
    times,
  );
  return held ? { kind: "settled", found: settled.length } : { kind: "fenced" };
};
