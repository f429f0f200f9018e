import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";
import { readCopies } from "../copy/look-up.ts";
import { namedInCopy, type NamedRecord } from "../copy/named-in-copy.ts";
import type { LedgerRow } from "../ledger/store-ledger.ts";
import { findSentCopies, idOfCopy } from "./remove-copies.ts";

/** What the copies of these rows name, as they are now; null: the tool does not show it. */
export const namedNow = async (
  ctx: ChunkContext,
  rows: readonly LedgerRow[],
): Promise<readonly NamedRecord[] | null> => {
  const found = await findSentCopies(ctx, rows);
  const ids = rows.flatMap((row) => idOfCopy(row, found) ?? []);
  if (ids.length > 0 && !pairOf(ctx).to) return null;
  const copies = await readCopies(ctx, ids);
  if ([...found.values(), ...copies].some(({ kind }) => kind === "refused")) return null;
  return copies.flatMap((copy) => (copy.kind === "there" ? namedInCopy(ctx, copy.record) : []));
};
