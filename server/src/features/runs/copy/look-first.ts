import { declaredOf, differingFields, type Outcome } from "@portage/connector-kit";
import { comesWithParent, pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { externalKey, generationFor, parentCopied } from "../ledger/keys.ts";
import { isThere, mayExist } from "../ledger/row-state.ts";
import { type Claimed, type KnownRow, lookUp } from "../ledger/store-claim.ts";
import type { SettledRow } from "../ledger/store-settle.ts";
import {
  findOpen,
  foundCopies,
  type FoundRecords,
  foundRows,
  type OpenRecord,
  openRecords,
} from "./open-records.ts";
import { isOrphan, type PreparedRecord, toDestination } from "./plan-record.ts";

/** What the destination has of a page, beyond what the ledger knows. */
export interface FoundFirst {
  /** Copies without a row: each is completed, as after a lost answer. */
  readonly found: ReadonlyMap<string, KnownRow>;
  /** Copies that came with their parent and are complete. */
  readonly arrived: ReadonlyMap<string, Outcome>;
  /** Records that must not be sent: it is unknown whether they have a copy. */
  readonly unclear: ReadonlyMap<string, Outcome>;
}

const nothing: FoundFirst = { found: new Map(), arrived: new Map(), unclear: new Map() };

const unclearOf = ({ id, error }: FoundRecords["refused"][number]): [string, Outcome] => [
  id,
  { kind: "unknown", why: error.message },
];

const asKnown = ({ lease }: ChunkContext, row: SettledRow): KnownRow => ({
  ...row,
  mappingRevision: lease.mappingRevision,
  // No run has counted it.
  runNumber: 0,
});

/** Whether this run may create the record. */
const mayBeCreated = (ctx: ChunkContext, { record }: PreparedRecord, row: KnownRow | undefined): boolean => {
  const { lease, mapping } = ctx;
  const { stream } = pairOf(ctx).from;
  if ((row?.state === "failed" || row?.state === "skipped") && row.runNumber === lease.runNumber)
    return false;
  if (stream.kind === "people" && mapping.personFor({ stream: lease.stream, id: record.id }).kind !== "copy")
    return false;
  return mapping.isSelected(stream, record);
};

/** Whether a copy is as this run would write it: its parent's write may have carried an earlier version. */
const completeAmong = async (
  ctx: ChunkContext,
  prepared: readonly PreparedRecord[],
): Promise<(id: string, copy: Parameters<typeof differingFields>[2]) => boolean> => {
  const { to } = pairOf(ctx);
  const targets = await lookUp(
    ctx.db,
    ctx.lease,
    prepared.flatMap(({ references }) => references),
  );
  const byId = new Map(prepared.map((each) => [each.record.id, each]));
  return (id, copy) => {
    const each = byId.get(id);
    const made = each && toDestination(ctx, { targets }, each);
    return (
      to !== null &&
      made?.kind === "record" &&
      differingFields(to.stream, made.record, copy, declaredOf(to)).length === 0
    );
  };
};

/**
 * Looks up every record that would be created, if it may be there already: while commits may be lost, under each key that a lost
 * write may have had; and a record whose parent may have brought it, under the key that it then has. Before the claim, since it
 * may take longer than a write deadline: the claim succeeds only if no other attempt took the partition in between.
 */
export const lookFirst = async (
  ctx: ChunkContext,
  prepared: readonly PreparedRecord[],
  book: TallyBook,
): Promise<FoundFirst> => {
  const { lease } = ctx;
  const isTogether = comesWithParent(ctx);
  const mayBeLost = lease.looksFrom !== null;
  if ((!mayBeLost && !isTogether) || !pairOf(ctx).to) return nothing;
  const byId = new Map(prepared.map((each) => [each.record.id, each]));
  const page = {
    ids: prepared.map(({ record }) => record.id),
    hashes: prepared.map(({ hash }) => hash),
    parents: prepared.map(({ parent }) => parent),
  };
  const open = await openRecords(ctx, page, new Date(0), (id, row, parentRow) => {
    const each = byId.get(id);
    const mayBeThere = mayBeLost || (parentRow?.state === "written" && parentRow.destId !== null);
    const isKnown = row !== undefined && isThere(row.state);
    return each !== undefined && !isKnown && mayBeThere && mayBeCreated(ctx, each, row);
  });
  const { found, refused, extra } = await findOpen(ctx, open);
  if (extra > 0) book.count("found_twice", extra);
  const copies = await foundCopies(ctx, found);
  const isComplete = await completeAmong(
    ctx,
    isTogether ? copies.flatMap(({ row }) => byId.get(row.sourceId) ?? []) : [],
  );
  const first = {
    found: new Map<string, KnownRow>(),
    arrived: new Map<string, Outcome>(),
    unclear: new Map(refused.map(unclearOf)),
  };
  for (const { row, record } of copies) {
    const { sourceId, destId, keyGeneration } = row;
    const isOfThisRun = isTogether && keyGeneration === lease.runNumber;
    if (isOfThisRun && destId !== null && record && isComplete(sourceId, record))
      first.arrived.set(sourceId, { kind: "written", id: destId, record });
    else first.found.set(sourceId, asKnown(ctx, row));
  }
  return first;
};

/**
 * Adds every record for which a key was ever sent without a known copy, before any is created a second time. What is found is
 * completed: it may be a part of the record, or an earlier version.
 */
export const findSent = async (
  ctx: ChunkContext,
  { known, targets }: Claimed,
  prepared: readonly PreparedRecord[],
  first: FoundFirst,
): Promise<FoundFirst> => {
  const { lease } = ctx;
  if (!pairOf(ctx).to) return first;
  const open = prepared.flatMap((each): OpenRecord[] => {
    const { record, hash, parent } = each;
    const row = known.get(record.id);
    const isLookedAt =
      first.found.has(record.id) || first.arrived.has(record.id) || first.unclear.has(record.id);
    if (!row || !mayExist(row) || isLookedAt) return [];
    if (!mayBeCreated(ctx, each, isOrphan(lease, row) ? undefined : row)) return [];
    const keyGeneration = generationFor(lease.runNumber, row);
    const key = externalKey({ ...lease, keyGeneration, sourceId: record.id });
    const query = { key, since: new Date(0), ...parentCopied(parent, targets.get(parent)?.destId) };
    return [{ id: record.id, hash, parent, keyGeneration, queries: [{ keyGeneration, query }] }];
  });
  if (open.length === 0) return first;
  const { found, refused } = await findOpen(ctx, open);
  // A person may have edited it since that run. Without a hash the tool is asked, if it can tell.
  const asks = pairOf(ctx).to?.isUntouched !== undefined;
  const rows = (await foundRows(ctx, found)).map((row) => (asks ? { ...row, destHash: null } : row));
  return {
    ...first,
    found: new Map([...first.found, ...rows.map((row) => [row.sourceId, asKnown(ctx, row)] as const)]),
    unclear: new Map([...first.unclear, ...refused.map(unclearOf)]),
  };
};

/** The claim's answer with the copies that have no row. */
export const withFound = (claimed: Claimed, { found }: FoundFirst): Claimed =>
  found.size === 0 ? claimed : { ...claimed, known: new Map([...claimed.known, ...found]) };
