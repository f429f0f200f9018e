import { referencesOf } from "@portage/connector-kit";
import { type ChunkContext, forStream, pairOf } from "../chunk/chunk-context.ts";
import { readCopies } from "../copy/look-up.ts";
import { keepOthers, type LedgerRow, listLeft, listMatchedReplaced } from "../ledger/store-ledger.ts";
import { findSentCopies } from "../undo/remove-copies.ts";
import { candidatesOf } from "../undo/remove-task.ts";

const rowsPerScan = 10_000;
const rowsPerRead = 100;
/** More than a sample has. To read many more would hold up the run for the sake of a few people's copies. */
const maxRead = 2_000;
/** A chunk holds its partition only for so long. */
const maxScanMs = 60_000;

/** What these copies name, as they are now; null: the tool does not show it. */
const namedBy = async (ctx: ChunkContext, rows: readonly LedgerRow[]) => {
  const { from, to } = pairOf(ctx);
  const found = await findSentCopies(ctx, rows);
  const ids = candidatesOf(ctx.lease, rows, found).map(({ id }) => id);
  if (ids.length > 0 && !to) return null;
  const copies = await readCopies(ctx, ids);
  if ([...found.values(), ...copies].some(({ kind }) => kind === "refused")) return null;
  return copies.flatMap((copy) => (copy.kind === "there" ? referencesOf(from.stream, copy.record) : []));
};

/**
 * Keeps the people of this stream with whom others are matched, and those whom copies name that this run did not write: people
 * edited them, the tool refused to change them, or their records are gone. Without the person, the name would be lost. False: it is
 * unknown whom they name.
 */
export const keepNamedPeople = async (ctx: ChunkContext): Promise<boolean> => {
  const { db, lease, streams } = ctx;
  const naming = streams.filter(({ from }) =>
    Object.values(from.stream.relations).some(({ to }) => to.includes(lease.stream)),
  );
  const matched = await listMatchedReplaced(db, lease);
  await keepOthers(
    db,
    lease.importId,
    matched.map((id) => ({ stream: lease.stream, id })),
  );
  let count = 0;
  const until = performance.now() + maxScanMs;
  for (const { name } of naming) {
    const of = forStream(ctx, name);
    for (let after: string | null = ""; after !== null; ) {
      const { rows, last }: Awaited<ReturnType<typeof listLeft>> = await listLeft(db, of.lease, {
        after,
        limit: rowsPerScan,
      });
      count += rows.length;
      if (count > maxRead || performance.now() > until || ctx.signal.aborted) return false;
      for (let at = 0; at < rows.length; at += rowsPerRead) {
        const named = await namedBy(of, rows.slice(at, at + rowsPerRead));
        if (!named) return false;
        await keepOthers(
          db,
          lease.importId,
          named.filter(({ stream }) => stream === lease.stream),
        );
      }
      after = last;
    }
  }
  return true;
};
