import type { RunMapping } from "../chunk/chunk-context.ts";
import type { Batch, Lease } from "../chunk/lease.ts";
import { replaced } from "../ledger/row-state.ts";
import { type KnownRow, targetKey } from "../ledger/store-claim.ts";

/**
 * The copies that a batch may have changed without an answer: a copy that is no longer as we left it may have our own update, which
 * must not count as a person's edit.
 */
export const doubtfulUpdates = (
  { stream, task }: Pick<Lease, "stream" | "task">,
  { ids, hashes }: Pick<Batch, "ids" | "hashes">,
  known: ReadonlyMap<string, KnownRow>,
  { differsFrom }: Pick<RunMapping, "differsFrom">,
): readonly string[] =>
  ids.filter((id, index) => {
    const row = known.get(targetKey(stream, id));
    if (row?.state !== "written" || row.destId === null || row.reason === replaced) return false;
    const isUnchanged =
      task !== "link" &&
      row.reason === null &&
      row.unclear !== true &&
      row.sourceHash === hashes[index] &&
      !differsFrom(row.mappingRevision, stream);
    return !isUnchanged;
  });
