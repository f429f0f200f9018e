import { forStream, type ChunkContext } from "../chunk/chunk-context.ts";
import { noCounts } from "../chunk/lease.ts";
import { type Budget, cursorOf, isAtEnd, type Position, positionAfter, type TaskEnd } from "../chunk/task.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { streamsNamedBy } from "../copy/named-in-copy.ts";
import { isThere, mayExist } from "../ledger/row-state.ts";
import {
  hasCopiesOutside,
  keepOthers,
  type LedgerRow,
  listOutsideSample,
  listRowsOf,
  listSampled,
} from "../ledger/store-ledger.ts";
import { settle } from "../ledger/store-settle.ts";
import { namedNow } from "./named-now.ts";

const rowsPerPage = 100;

/** Whether the copy may not be as this run would have written it: what it wrote, it kept the names of. */
const isLeft = (row: LedgerRow, { runNumber }: ChunkContext["lease"]) =>
  mayExist(row) ||
  (isThere(row.state) &&
    row.destId !== null &&
    (row.runNumber !== runNumber || row.reason !== null || row.destHash === null));

/** It is unknown what a copy names: all that left the sample stays, of the streams that it may name. */
const keepAllOutside = async (ctx: ChunkContext, streams: readonly string[]): Promise<void> => {
  for (const stream of streams) {
    const { lease } = forStream(ctx, stream);
    for (let after: string | null = null; ; ) {
      const rows: readonly LedgerRow[] = await listOutsideSample(ctx.db, lease, {
        after,
        limit: rowsPerPage,
      });
      const ids = rows.flatMap(({ destId }) => destId ?? []);
      await keepOthers(
        ctx.db,
        lease.importId,
        ids.map((id) => ({ stream, id })),
      );
      after = rows.at(-1)?.sourceId ?? null;
      if (rows.length < rowsPerPage) break;
    }
  }
};

/**
 * Keeps what the sample's copies of a stream name and this run did not write: people edited them, the tool refused to change them,
 * or nothing had changed.
 */
export const keepNamedBySample = async (
  ctx: ChunkContext,
  book: TallyBook,
  budget: Budget,
): Promise<TaskEnd> => {
  const { db, lease, times } = ctx;
  const streams = [...new Set(streamsNamedBy(ctx))];
  if (!(await hasCopiesOutside(db, lease, streams))) return { kind: "ended" };
  for (let at = lease.cursor as Position; !isAtEnd(at); ) {
    if (budget.isSpent()) return { kind: "more" };
    const ids = await listSampled(db, lease, { after: cursorOf(at) as string | null, limit: rowsPerPage });
    budget.spend();
    const rows = (await listRowsOf(db, lease, ids)).filter((row) => isLeft(row, lease));
    const named = await namedNow(ctx, rows);
    if (named) await keepOthers(db, lease.importId, named);
    else await keepAllOutside(ctx, streams);
    at = positionAfter(ids.length < rowsPerPage ? null : (ids.at(-1) ?? null));
    const read = { rows: [], counts: noCounts, tallies: book.all(), cursor: { to: at }, inDoubt: null };
    if (!(await settle(db, lease, read, times))) return { kind: "fenced" };
  }
  return { kind: "ended" };
};
