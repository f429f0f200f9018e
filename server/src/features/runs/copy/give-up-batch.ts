import { familyStreams } from "@portage/connector-kit";
import type { RunMapping } from "../chunk/chunk-context.ts";
import { generationFor } from "../ledger/keys.ts";
import { inDoubt, isOwnCopy, isThere } from "../ledger/row-state.ts";
import { type Lease, type LeaseTimes, noCounts } from "../chunk/lease.ts";
import type { Database } from "../../../platform/db.ts";
import { type LookedUp, lookUp, targetKey } from "../ledger/store-claim.ts";
import { settle } from "../ledger/store-settle.ts";
import { doubtfulUpdates } from "./doubtful-updates.ts";
import { createTallies } from "../chunk/tallies.ts";

/** Of these rows, the people who were matched and whom the run copies by now: what it sent for them is in doubt as well. */
const copiedDespiteMatch = async (
  { family, stream }: Lease,
  rows: ReadonlyMap<string, LookedUp>,
  loadMapping: () => Promise<Pick<RunMapping, "personFor">>,
): Promise<ReadonlySet<LookedUp>> => {
  const isOfPeople = familyStreams[family].some(({ name, kind }) => name === stream && kind === "people");
  const matched = [...rows.values()].filter((row) => row.state === "matched" && !isOwnCopy(row));
  if (!isOfPeople || matched.length === 0) return new Set();
  const { personFor } = await loadMapping();
  return new Set(matched.filter(({ sourceId: id }) => personFor({ stream, id }).kind === "copy"));
};

/**
 * A run ends while its batch in doubt can't be checked, because the sign-in is gone: marks the rows, so that a later
 * run or undo looks them up first.
 */
export const giveUpBatch = async (
  db: Database,
  lease: Lease,
  times: LeaseTimes,
  loadMapping: () => Promise<Pick<RunMapping, "personFor" | "differsFrom">>,
): Promise<boolean> => {
  if (!lease.batch) return true;
  const { ids, hashes, parents } = lease.batch;
  const known = await lookUp(
    db,
    lease,
    ids.map((id) => ({ stream: lease.stream, id })),
  );
  const copiedNow = await copiedDespiteMatch(lease, known, loadMapping);
  const unclear = doubtfulUpdates(lease, lease.batch, known, await loadMapping());
  const book = createTallies(lease.tallies);
  const rows = ids.flatMap((sourceId, index) => {
    const row = known.get(targetKey(lease.stream, sourceId));
    if (row && isThere(row.state) && !copiedNow.has(row)) return [];
    book.reason("failed", inDoubt);
    return [
      {
        sourceId,
        state: "failed" as const,
        destId: null,
        sourceHash: hashes[index] ?? null,
        destHash: null,
        reason: inDoubt,
        detail: null,
        keyGeneration: generationFor(lease.runNumber, row),
        parent: parents[index] || null,
      },
    ];
  });
  return settle(
    db,
    lease,
    {
      rows,
      unclear,
      counts: { ...noCounts, failed: rows.length, read: rows.length },
      tallies: book.all(),
      inDoubt: null,
    },
    times,
  );
};
