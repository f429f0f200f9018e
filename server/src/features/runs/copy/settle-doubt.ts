import { setTimeout as sleep } from "node:timers/promises";
import { inDoubt } from "../ledger/row-state.ts";
import { noCounts, type Batch } from "../chunk/lease.ts";
import { type SettledRow, settle } from "../ledger/store-settle.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import { patience } from "./judge-outcomes.ts";
import { lookUp } from "../ledger/store-claim.ts";
import { doubtfulUpdates } from "./doubtful-updates.ts";
import { findOpen, foundRows, type OpenRecord, openRecords } from "./open-records.ts";

export type Doubt =
  /** `found`: the records that have a copy. */
  | { readonly kind: "settled"; readonly found: readonly string[] }
  /** Requests of it may still take effect, or the tool refused a look-up: retry after this time. */
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "fenced" };

/** Shorter waits happen here; a longer one ends the step. */
const longestWaitMs = 5_000;
/** Until a refused look-up is tried again; `patience` bounds how often. */
const refusedPauseMs = 60_000;

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
 * exist, and records them. The others are open again: their page is read once more. Rows of copies that it may have changed are marked.
 */
export const settleDoubt = async (ctx: ChunkContext, batch: Batch, book: TallyBook): Promise<Doubt> => {
  const { db, lease, times, destination, mapping, signal } = ctx;
  const { stream } = lease;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const waitMs = Math.max(0, batch.deadlineInMs + lateWriteMs + findLagMs);
  if (waitMs > longestWaitMs) return { kind: "wait", ms: waitMs };
  if (waitMs > 0) await sleep(waitMs, undefined, { signal });
  // A lost write may be older than the batch.
  const since = lease.looksFrom === null ? batch.since : new Date(0);
  const open = await openRecords(ctx, batch, since);
  const { found: known, refused, extra } = await findOpen(ctx, open);
  if (extra > 0) book.count("found_twice", extra);
  const found = await foundRows(ctx, known);
  const rows = await lookUp(
    db,
    lease,
    batch.ids.map((id) => ({ stream, id })),
  );
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
      unclear: doubtfulUpdates(lease, batch, rows, mapping),
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
              hashes: left.map(({ hash }) => hash ?? ""),
              parents: left.map(({ parent }) => parent),
            },
    },
    times,
  );
  if (!held) return { kind: "fenced" };
  return left.length > 0
    ? { kind: "wait", ms: refusedPauseMs }
    : { kind: "settled", found: found.map(({ sourceId }) => sourceId) };
};
