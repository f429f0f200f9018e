import type { Removed } from "@portage/connector-kit";
import { externalKey } from "./external-key.ts";
import { isInDoubt } from "./in-doubt.ts";
import { parentsNamed } from "./parent-in.ts";
import { type Candidate, type Free, kept, undone } from "./removable.ts";
import { onSide } from "./sides.ts";
import { claim, lookUp } from "./store-claim.ts";
import { keepOthers, type LedgerRow } from "./store-ledger.ts";
import type { SettledRow } from "./store-settle.ts";
import { pairOf, type Workplace } from "./workplace.ts";
import { startWriteDeadline } from "./write-deadline.ts";

/** The ids of copies of which nobody knows yet where they are. */
export const findDoubtful = async (place: Workplace, rows: readonly LedgerRow[]) => {
  const { to } = pairOf(place);
  const doubtful = rows.filter(isInDoubt);
  if (!to || doubtful.length === 0) return new Map<string, string>();
  const parents = await lookUp(place.db, place.lease, parentsNamed(doubtful.map(({ detail }) => detail)));
  const asked = doubtful.map((row) => {
    const parentId = parents.get(row.detail ?? "")?.destId;
    return {
      row,
      key: externalKey({ ...place.lease, ...row }),
      since: new Date(0),
      ...(parentId == null ? {} : { parentId }),
    };
  });
  const found = await onSide("destination", () => to.find(place.destination.io(place.signal), asked));
  return new Map(
    asked.flatMap(({ row, key }) => {
      const [id] = found.get(key) ?? [];
      return id === undefined ? [] : [[row.sourceId, id]];
    }),
  );
};

const removedRow = ({ row }: Candidate, outcome: Removed | undefined): SettledRow | null => {
  if (outcome?.kind === "removed") return undone(row);
  return outcome?.kind === "kept" ? kept(row, outcome.code, outcome.message) : null;
};

/**
 * What the tool itself holds on to stays whole, too; but a part keeps nothing that holds it: it may go with it yet, where
 * a release before this one has laid out the undo.
 */
const keepPointedTo = async (
  place: Workplace,
  free: readonly Free[],
  rows: readonly (SettledRow | null)[],
): Promise<void> => {
  const { parent, relations } = pairOf(place).from.stream;
  const holders: readonly string[] = (parent === null ? undefined : relations[parent]?.to) ?? [];
  const pointedTo = free.flatMap(({ pointsTo }, index) => (rows[index]?.state === "kept" ? pointsTo : []));
  await keepOthers(
    place.db,
    place.lease.importId,
    pointedTo.filter(({ stream }) => !holders.includes(stream)),
  );
};

type Taken =
  | { readonly kind: "taken"; readonly rows: readonly (SettledRow | null)[] }
  | { readonly kind: "fenced" };

/** Takes away what is free to go. Claimed like a write: one that takes effect late must not surprise a successor. */
export const takeAway = async (place: Workplace, free: readonly Free[]): Promise<Taken> => {
  const { db, lease, times, destination } = place;
  const { to } = pairOf(place);
  if (free.length === 0) return { kind: "taken", rows: [] };
  if (!to?.remove) {
    const rows = free.map(({ row }) => kept(row, "cannot_be_removed", "The tool has no way to remove it."));
    await keepPointedTo(place, free, rows);
    return { kind: "taken", rows };
  }
  const startedAt = performance.now();
  const ids = free.map(({ row }) => row.sourceId);
  const hashes = free.map(({ row }) => row.sourceHash ?? Buffer.alloc(0));
  const claimed = await claim(db, lease, { ids, hashes, parents: ids.map(() => ""), targets: [] }, times);
  if (!claimed) return { kind: "fenced" };
  const deadline = startWriteDeadline(place, startedAt, false);
  try {
    const outcomes = deadline.maySend()
      ? await onSide(
          "destination",
          async () => to.remove?.(destination.io(deadline.signal, deadline.maySend), free) ?? [],
        )
      : [];
    const rows = free.map((candidate, index) => removedRow(candidate, outcomes[index]));
    await keepPointedTo(place, free, rows);
    return { kind: "taken", rows };
  } finally {
    deadline.close();
  }
};
