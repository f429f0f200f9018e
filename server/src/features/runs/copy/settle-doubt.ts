import { setTimeout as sleep } from "node:timers/promises";
import type { FindQuery } from "@portage/connector-kit";
import { externalKey, generationFor, parentCopied, parentsNamed, destinationHash } from "../ledger/keys.ts";
import { inDoubt, isThere } from "../ledger/row-state.ts";
import { noCounts, type Batch } from "../chunk/lease.ts";
import { foundAgain } from "./plan-record.ts";
import { lookUp, targetKey } from "../ledger/store-claim.ts";
import { type SettledRow, settle } from "../ledger/store-settle.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { patience } from "./judge-outcomes.ts";
import { findCopies, readCopies, recordOf } from "./look-up.ts";

export type Doubt =
  | { readonly kind: "settled"; readonly found: number }
  /** Requests of it may still take effect, or the tool refused a look-up: retry after this time. */
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "fenced" };

/** Shorter waits happen here; a longer one ends the step. */
const longestWaitMs = 5_000;
/** Until a refused look-up is tried again; `patience` bounds how often. */
const refusedPauseMs = 60_000;

/** A record of the batch whose copy is not known. */
interface OpenRecord {
  readonly id: string;
  readonly hash: Buffer | null;
  readonly parent: string;
  readonly keyGeneration: number;
  readonly query: FindQuery;
}

/** The records of the batch whose existence is not certain; a copy that the ledger knows was being changed. */
const openRecords = async ({ db, lease }: ChunkContext, batch: Batch): Promise<readonly OpenRecord[]> => {
  const rows = await lookUp(db, lease, [
    ...batch.ids.map((id) => ({ stream: lease.stream, id })),
    ...parentsNamed(batch.parents),
  ]);
  return batch.ids.flatMap((id, index) => {
    const row = rows.get(targetKey(lease.stream, id));
    if (row && isThere(row.state)) return [];
    const parent = batch.parents[index] ?? "";
    const keyGeneration = generationFor(lease.runNumber, row);
    const key = externalKey({ ...lease, keyGeneration, sourceId: id });
    const query = { key, since: batch.since, ...parentCopied(parent, rows.get(parent)?.destId) };
    return [{ id, hash: batch.hashes[index] ?? null, parent, keyGeneration, query }];
  });
};

/** The rows of the records that were found. */
const foundRows = async (
  ctx: ChunkContext,
  found: readonly (OpenRecord & { readonly destId: string })[],
): Promise<readonly SettledRow[]> => {
  const { to } = pairOf(ctx);
  const now = await readCopies(
    ctx,
    found.map(({ destId }) => destId),
  );
  return found.map(({ id, hash, destId, keyGeneration }, index): SettledRow => {
    const record = recordOf(now[index]);
    return {
      sourceId: id,
      state: "written",
      destId,
      sourceHash: hash,
      destHash: record && to ? destinationHash(record, to) : null,
      reason: foundAgain,
      detail: null,
      keyGeneration,
      parent: null,
    };
  });
};

/** The run goes on without knowing: every later run, and an undo, looks the record up first. */
const givenUpRow = ({ id, hash, parent, keyGeneration }: OpenRecord): SettledRow => ({
  sourceId: id,
  state: "failed",
  destId: null,
  sourceHash: hash,
  destHash: null,
  reason: inDoubt,
  detail: null,
  keyGeneration,
  parent: parent || null,
});

/**
 * Settles the batch in doubt: waits until nothing of it can take effect any more, asks the destination which keys
 * exist, and records them. The others are open again: their page is read once more.
 */
export const settleDoubt = async (ctx: ChunkContext, batch: Batch, book: TallyBook): Promise<Doubt> => {
  const { db, lease, times, destination, signal } = ctx;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const waitMs = Math.max(0, batch.deadlineInMs + lateWriteMs + findLagMs);
  if (waitMs > longestWaitMs) return { kind: "wait", ms: waitMs };
  if (waitMs > 0) await sleep(waitMs, undefined, { signal });
  const open = await openRecords(ctx, batch);
  const answers = await findCopies(
    ctx,
    open.map(({ query }) => query),
  );
  const known: (OpenRecord & { readonly destId: string })[] = [];
  const refused: OpenRecord[] = [];
  for (const [index, each] of open.entries()) {
    const answer = answers[index];
    if (answer?.kind !== "found") refused.push(each);
    else if (answer.ids[0] !== undefined) known.push({ ...each, destId: answer.ids[0] });
    if (answer?.kind === "found" && answer.ids.length > 1) book.count("found_twice", answer.ids.length - 1);
  }
  const found = await foundRows(ctx, known);
  // A refusal does not prove that there is no copy: the doubt stays until the run gives up on it.
  const givesUp = lease.failures >= patience;
  const givenUp = givesUp ? refused.map(givenUpRow) : [];
  const left = givesUp ? [] : refused;
  for (const _ of givenUp) book.reason("failed", inDoubt);
  const held = await settle(
    db,
    lease,
    {
      rows: [...found, ...givenUp],
      counts: {
        ...noCounts,
        created: found.length,
        failed: givenUp.length,
        read: found.length + givenUp.length,
      },
      tallies: book.all(),
      inDoubt:
        left.length === 0
          ? null
          : {
              ids: left.map(({ id }) => id),
              hashes: left.map(({ hash }) => hash ?? Buffer.alloc(0)),
              parents: left.map(({ parent }) => parent),
            },
    },
    times,
  );
  if (!held) return { kind: "fenced" };
  return left.length > 0 ? { kind: "wait", ms: refusedPauseMs } : { kind: "settled", found: found.length };
};
