import type { Batch, Lease } from "../chunk/lease.ts";
import { foundAgain, replaced } from "../ledger/row-state.ts";
import { type KnownRow, targetKey } from "../ledger/store-claim.ts";
import type { SettledRow } from "../ledger/store-settle.ts";
import { asItWas } from "./keep-copy.ts";

export interface DoubtfulUpdates {
  readonly rows: readonly SettledRow[];
  /** How many of them this run has not counted yet. */
  readonly unread: number;
}

/**
 * The copies that a batch may have changed without an answer. Their rows say so from now on: a copy that is not as we left it may
 * have our own update, which must not count as a person's edit.
 */
export const doubtfulUpdates = (
  { stream, task, mappingRevision, runNumber }: Lease,
  { ids, hashes }: Pick<Batch, "ids" | "hashes">,
  known: ReadonlyMap<string, KnownRow>,
): DoubtfulUpdates => {
  const rows = ids.flatMap((id, index): readonly KnownRow[] => {
    const row = known.get(targetKey(stream, id));
    if (row?.state !== "written" || row.destId === null || row.reason === replaced) return [];
    const isUnchanged =
      task !== "link" &&
      row.reason === null &&
      row.sourceHash === hashes[index] &&
      row.mappingRevision === mappingRevision;
    return isUnchanged ? [] : [row];
  });
  return {
    rows: rows.map((row) => ({ ...asItWas(row), reason: foundAgain })),
    unread: rows.filter((row) => row.runNumber !== runNumber).length,
  };
};
