import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { keyOfCopy, parentIn } from "../ledger/keys.ts";
import type { Claimed } from "../ledger/store-claim.ts";
import { findCopies, readCopies, recordOf } from "./look-up.ts";

/**
 * The records of a page whose copies an undo kept and that are still in the destination, by their old keys; also if the tool
 * refuses to look: another copy would be a duplicate.
 */
export const findKept = async (ctx: ChunkContext, { known }: Claimed): Promise<ReadonlySet<string>> => {
  const { from } = pairOf(ctx);
  const kept = [...known.values()].filter(({ state, destId }) => state === "kept" && destId !== null);
  const now = await readCopies(
    ctx,
    kept.flatMap(({ destId }) => destId ?? []),
  );
  const found = await findCopies(
    ctx,
    kept.map((row, index) => ({
      key: keyOfCopy(ctx.lease, row),
      since: new Date(0),
      ...parentIn(from.stream, recordOf(now[index])),
    })),
  );
  return new Set(
    kept
      .filter((_, index) => {
        const copy = found[index];
        return copy?.kind === "refused" || (copy?.ids.length ?? 0) > 0;
      })
      .map(({ sourceId }) => sourceId),
  );
};
