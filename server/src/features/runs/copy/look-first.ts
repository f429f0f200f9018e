import type { Outcome } from "@portage/connector-kit";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { Claimed, KnownRow } from "../ledger/store-claim.ts";
import type { SettledRow } from "../ledger/store-settle.ts";
import { findOpen, foundRows, openRecords } from "./open-records.ts";
import type { PreparedRecord } from "./plan-record.ts";

/** What the destination has of a page, beyond what the ledger knows. */
export interface LostRecords {
  /** Copies whose rows were lost. */
  readonly found: ReadonlyMap<string, KnownRow>;
  /** Records that must not be sent: whether they have a copy can't be told. */
  readonly untold: ReadonlyMap<string, Outcome>;
}

const noneLost: LostRecords = { found: new Map(), untold: new Map() };

const hex = (hash: Buffer | null) => hash?.toString("hex") ?? null;

const asKnown = ({ lease }: ChunkContext, row: SettledRow): KnownRow => ({
  ...row,
  sourceHash: hex(row.sourceHash),
  destHash: hex(row.destHash),
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

/**
 * While commits may be lost: looks up every record that would be created, under each key that a lost write may have had. Before
 * the claim, since it may take longer than a write deadline: the claim succeeds only if no other attempt took the partition in
 * between.
 */
export const lookFirst = async (
  ctx: ChunkContext,
  prepared: readonly PreparedRecord[],
  book: TallyBook,
): Promise<LostRecords> => {
  if (ctx.lease.looksFrom === null || !pairOf(ctx).to) return noneLost;
  const byId = new Map(prepared.map((each) => [each.record.id, each]));
  const page = {
    ids: prepared.map(({ record }) => record.id),
    hashes: prepared.map(({ hash }) => hash),
    parents: prepared.map(({ parent }) => parent),
  };
  const open = await openRecords(ctx, page, new Date(0), (id, row) => {
    const each = byId.get(id);
    return each !== undefined && mayBeCreated(ctx, each, row);
  });
  const { found, refused, extra } = await findOpen(ctx, open);
  if (extra > 0) book.count("found_twice", extra);
  const rows = await foundRows(ctx, found);
  return {
    found: new Map(rows.map((row) => [row.sourceId, asKnown(ctx, row)])),
    untold: new Map(refused.map(({ id, error }) => [id, { kind: "unknown", why: error.message }])),
  };
};

/** The claim's answer with the copies whose rows were lost: each is completed, as after a lost answer. */
export const withLost = (claimed: Claimed, { found }: LostRecords): Claimed =>
  found.size === 0 ? claimed : { ...claimed, known: new Map([...claimed.known, ...found]) };
