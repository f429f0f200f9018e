import { type ChunkContext, forStream } from "../chunk/chunk-context.ts";
import { streamsNamedBy } from "../copy/named-in-copy.ts";
import { keepOthers, listLeft, listMatchedReplaced } from "../ledger/store-ledger.ts";
import { namedNow } from "../undo/named-now.ts";

const rowsPerScan = 10_000;
const rowsPerRead = 100;
/** More than a sample has. To read many more would hold up the run for the sake of a few people's copies. */
const maxRead = 2_000;
/** A chunk holds its partition only for so long. */
const maxScanMs = 60_000;

/**
 * Keeps the people of this stream with whom others are matched, and those whom copies name that this run did not write: people
 * edited them, the tool refused to change them, or their records are gone. Without the person, the name would be lost. False: it is
 * unknown whom they name.
 */
export const keepNamedPeople = async (ctx: ChunkContext): Promise<boolean> => {
  const { db, lease, streams } = ctx;
  const naming = streams.filter(({ name }) => streamsNamedBy(forStream(ctx, name)).includes(lease.stream));
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
        const named = await namedNow(of, rows.slice(at, at + rowsPerRead));
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
