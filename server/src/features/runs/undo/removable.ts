import type { FamilyRecord } from "@portage/connector-kit";
import { isAsLeft, parentIn } from "../ledger/keys.ts";
import { onSide } from "../chunk/sides.ts";
import { takeForRemoval } from "../ledger/store-shared-accounts.ts";
import { keepOthers, type LedgerRow, listHolding } from "../ledger/store-ledger.ts";
import type { SettledRow } from "../ledger/store-settle.ts";
import { untouchedAmong } from "../copy/edited-since.ts";
import { findCopies, readCopies, recordOf } from "../copy/look-up.ts";
import { namedInCopy, type NamedRecord } from "../copy/named-in-copy.ts";
import { pairOf, sharedAccount, type ChunkContext } from "../chunk/chunk-context.ts";

/** A copy that may be removed. */
export interface RemovalCandidate {
  readonly row: LedgerRow;
  readonly id: string;
  readonly key: string;
}

/** A copy that nothing keeps; and what would have to stay with it if the tool keeps it. */
export interface Free extends RemovalCandidate {
  readonly pointsTo: readonly NamedRecord[];
}

export const undone = (row: LedgerRow): SettledRow => ({
  ...row,
  state: "undone",
  reason: null,
  detail: null,
});

export const kept = (row: LedgerRow, code: string, message: string): SettledRow => ({
  ...row,
  state: "kept",
  reason: code,
  detail: message.slice(0, 500),
});

/** It is unknown whether it exists: the tool does not let this account look. */
export const notShown = (row: LedgerRow): SettledRow =>
  kept(row, "not_readable", "The tool does not let this account see whether it is there.");

/** Why the record under a copy's id must stay, by the candidate: it does not have the copy's key. */
const withoutKey = async (
  ctx: ChunkContext,
  differing: readonly { readonly candidate: RemovalCandidate; readonly record: FamilyRecord }[],
): Promise<ReadonlyMap<RemovalCandidate, readonly [code: string, message: string]>> => {
  const { from } = pairOf(ctx);
  const found = await findCopies(
    ctx,
    differing.map(({ candidate, record }) => ({
      key: candidate.key,
      since: new Date(0),
      ...parentIn(from.stream, record),
    })),
  );
  return new Map(
    differing.flatMap(({ candidate }, index) => {
      const copy = found[index];
      if (copy?.kind !== "found" || copy.ids.includes(candidate.id)) return [];
      // Nobody can tell a copy that lost its mark from another record with its id.
      const why =
        copy.ids.length === 0
          ? (["key_gone", "It no longer has the key of the copy."] as const)
          : (["other_key", "The copy has another id now."] as const);
      return [[candidate, why] as const];
    }),
  );
};

/**
 * Separates removable copies from those that must stay: edited by a person, pointed to by another import, or by a
 * record that stays.
 */
export const partCandidates = async (ctx: ChunkContext, candidates: readonly RemovalCandidate[]) => {
  const { db, lease, destination, signal } = ctx;
  const { to } = pairOf(ctx);
  const free: Free[] = [];
  const settled: SettledRow[] = [];
  if (!to || candidates.length === 0) return { free, settled };
  const ids = candidates.map(({ id }) => id);
  const unshared = await takeForRemoval(db, lease, sharedAccount(destination), ids);
  const holding = await listHolding(db, lease, ids);
  const copies = await readCopies(ctx, ids);
  const isEdited = ({ row: { destHash } }: RemovalCandidate, record: FamilyRecord) =>
    !isAsLeft(destHash, record, to);
  const differing = candidates.flatMap((candidate, index) => {
    const record = recordOf(copies[index]);
    return record !== null && isEdited(candidate, record) ? [{ candidate, record }] : [];
  });
  const keyless = await withoutKey(ctx, differing);
  const there = differing.map(({ candidate }) => candidate).filter((candidate) => !keyless.has(candidate));
  const untouched = await onSide("destination", () =>
    untouchedAmong(
      to,
      destination.io(signal),
      there.map(({ id }) => id),
    ),
  );
  const edited = new Set(there.filter(({ id }) => !untouched.has(id)));
  const pointedTo: NamedRecord[] = [];
  const stays = (row: LedgerRow, record: FamilyRecord, code: string, message: string) => {
    settled.push(kept(row, code, message));
    pointedTo.push(...namedInCopy(ctx, record));
  };
  candidates.forEach((candidate, index) => {
    const { row, id } = candidate;
    const record = recordOf(copies[index]);
    const otherwise = keyless.get(candidate);
    if (copies[index]?.kind === "refused") settled.push(notShown(row));
    else if (!record) settled.push(undone(row));
    else if (otherwise) stays(row, record, ...otherwise);
    else if (!unshared.has(id))
      stays(row, record, "used_by_another_import", "Another import points to this record.");
    else if (edited.has(candidate) && (row.destHash === null || row.unclear))
      stays(row, record, "maybe_edited", "Its write had no clear answer: somebody may have edited it since.");
    else if (edited.has(candidate))
      stays(row, record, "edited_since", "Somebody edited it after it was copied.");
    else if (holding.has(id))
      stays(row, record, "holds_kept_records", "Something that stays is in it or points to it.");
    else free.push({ ...candidate, pointsTo: namedInCopy(ctx, record) });
  });
  await keepOthers(db, lease.importId, pointedTo);
  return { free, settled };
};
