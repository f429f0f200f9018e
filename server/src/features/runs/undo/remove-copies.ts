import type { Database } from "../../../platform/db.ts";
import { momentNow } from "../../../platform/moment.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { type Batch, type Lease, type LeaseTimes, noCounts } from "../chunk/lease.ts";
import { onSide } from "../chunk/sides.ts";
import { findCopies, type Found } from "../copy/look-up.ts";
import { startWriteDeadline } from "../chunk/write-deadline.ts";
import { keyOfCopy, parentCopied, parentsNamed } from "../ledger/keys.ts";
import { mayExist, parentOf } from "../ledger/row-state.ts";
import { claim, lookUp } from "../ledger/store-claim.ts";
import { keepOthers, type LedgerRow } from "../ledger/store-ledger.ts";
import { settle, type SettledRow } from "../ledger/store-settle.ts";
import { forgetRemovals } from "../ledger/store-shared-accounts.ts";
import { type RemovalCandidate, type Free, kept, undone } from "./removable.ts";
import type { Removed } from "@portage/connector-kit";

/** The copies of all rows for which a key was ever sent, and whose id is not known. */
export const findSentCopies = async (
  ctx: ChunkContext,
  rows: readonly LedgerRow[],
): Promise<ReadonlyMap<string, Found>> => {
  const doubtful = rows.filter(mayExist);
  const parents = await lookUp(ctx.db, ctx.lease, parentsNamed(doubtful.map(parentOf)));
  const queries = doubtful.map((row) => {
    const named = parentOf(row);
    const parent = parentCopied(named, parents.get(named ?? "")?.destId);
    return { key: keyOfCopy(ctx.lease, row), since: new Date(0), ...parent };
  });
  const found = await findCopies(ctx, queries);
  return new Map(
    doubtful.flatMap(({ sourceId }, index): [string, Found][] => {
      const copy = found[index];
      return copy ? [[sourceId, copy]] : [];
    }),
  );
};

/** Its id in the destination, if it is known or was found by its key. */
export const idOfCopy = (
  { sourceId, destId }: LedgerRow,
  found: ReadonlyMap<string, Found>,
): string | null => {
  const copy = found.get(sourceId);
  return destId ?? (copy?.kind === "found" ? (copy.ids[0] ?? null) : null);
};

/** The copies that the rows stand for: known by their id, or found by their key and known by their id from now on. */
export const candidatesOf = (
  lease: Pick<Lease, "importId" | "stream">,
  rows: readonly LedgerRow[],
  found: ReadonlyMap<string, Found>,
): readonly RemovalCandidate[] =>
  rows.flatMap((row) => {
    const id = idOfCopy(row, found);
    return id === null ? [] : [{ row: { ...row, destId: id }, id, key: keyOfCopy(lease, row) }];
  });

const removedRow = ({ row }: RemovalCandidate, outcome: Removed | undefined): SettledRow | null => {
  if (outcome?.kind === "removed") return undone(row);
  return outcome?.kind === "kept" ? kept(row, outcome.code, outcome.message) : null;
};

/**
 * A copy that the tool keeps stays complete, too; but a part keeps no owner: it may still go with it, if an earlier
 * release planned the undo.
 */
const keepPointedTo = async (
  ctx: ChunkContext,
  free: readonly Free[],
  rows: readonly (SettledRow | null)[],
): Promise<void> => {
  const { parent, relations } = pairOf(ctx).from.stream;
  const holders: readonly string[] = (parent === null ? undefined : relations[parent]?.to) ?? [];
  const pointedTo = free.flatMap(({ pointsTo }, index) => (rows[index]?.state === "kept" ? pointsTo : []));
  await keepOthers(
    ctx.db,
    ctx.lease.importId,
    pointedTo.filter(({ stream }) => !holders.includes(stream)),
  );
};

type Taken =
  | { readonly kind: "taken"; readonly rows: readonly (SettledRow | null)[] }
  | { readonly kind: "fenced" };

/**
 * Removes the free copies. Claimed like a write: a late effect must not surprise a successor. `isLast`: what the tool keeps now,
 * stays.
 */
export const removeCopies = async (
  ctx: ChunkContext,
  free: readonly Free[],
  isLast: boolean,
): Promise<Taken> => {
  const { db, lease, times, destination } = ctx;
  const { to } = pairOf(ctx);
  if (free.length === 0) return { kind: "taken", rows: [] };
  if (!to?.remove) {
    const rows = free.map(({ row }) => kept(row, "cannot_be_removed", "The tool has no way to remove it."));
    await keepPointedTo(ctx, free, rows);
    return { kind: "taken", rows };
  }
  const startedAt = momentNow();
  const ids = free.map(({ row }) => row.sourceId);
  const hashes = free.map(({ row }) => row.sourceHash ?? "");
  const claimed = await claim(db, lease, { ids, hashes, parents: ids.map(() => ""), targets: [] }, times);
  if (!claimed) return { kind: "fenced" };
  const deadline = startWriteDeadline(ctx, startedAt, false);
  try {
    const outcomes = deadline.maySend()
      ? await onSide(
          "destination",
          async () => to.remove?.(destination.io(deadline.signal, deadline.maySend), free) ?? [],
        )
      : [];
    const rows = free.map((candidate, index) => removedRow(candidate, outcomes[index]));
    if (isLast) await keepPointedTo(ctx, free, rows);
    return { kind: "taken", rows };
  } finally {
    deadline.close();
  }
};

/** The removals without an answer, as the batch in doubt: nothing is decided about them before their requests have come to rest. */
export const openRemovals = (
  free: readonly Free[],
  rows: readonly (SettledRow | null)[],
): Pick<Batch, "ids" | "hashes" | "parents"> | null => {
  const open = free.flatMap(({ row }, index) => (rows[index] === null ? [row] : []));
  if (open.length === 0) return null;
  return {
    ids: open.map(({ sourceId }) => sourceId),
    hashes: open.map(({ sourceHash }) => sourceHash ?? ""),
    parents: open.map(() => ""),
  };
};

/**
 * A run ends in the middle of removing, when no request can take effect any more: the rows stay as they are, so that a
 * later removal checks each anew. False: another attempt has the partition.
 */
export const abandonRemoval = async (db: Database, lease: Lease, times: LeaseTimes): Promise<boolean> => {
  const { tallies } = lease;
  const left = { rows: [], counts: noCounts, tallies, inDoubt: null };
  if (lease.batch && !(await settle(db, lease, left, times))) return false;
  await forgetRemovals(db, lease);
  return true;
};
