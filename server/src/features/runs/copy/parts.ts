import { type Cursor, type FamilyRecord, ownersOf, type Page } from "@portage/connector-kit";
import { type ChunkContext, forStream, pairOf, type StreamPair } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { externalKey } from "../ledger/keys.ts";
import { isThere } from "../ledger/row-state.ts";
import { type LookedUp, lookUp, targetKey } from "../ledger/store-claim.ts";
import { listSampledAmong } from "../ledger/store-ledger.ts";
import type { FoundFirst } from "./look-first.ts";
import { type PlannedPart, type PreparedRecord, prepareRecord, toDestination } from "./plan-record.ts";
import { isRefusedRead } from "./read-by-ids.ts";
import { readParents } from "./read-source.ts";
import type { ToWrite } from "./write-page.ts";

interface Part {
  readonly stream: string;
  readonly prepared: PreparedRecord;
}

/** What belongs to the records of a page that may be created, as far as the destination takes it with them. */
export interface Parts {
  /** By the record's id in the source. */
  readonly of: ReadonlyMap<string, readonly Part[]>;
  /** What the parts refer to. */
  readonly targets: ReadonlyMap<string, LookedUp>;
}

const noParts: Parts = { of: new Map(), targets: new Map() };

interface Owner {
  readonly stream: string;
  readonly id: string;
}

/** Reads the records of one parent, until there are enough for one write. */
const readOwn = async (ctx: ChunkContext, { from }: StreamPair, parentId: string, atMost: number) => {
  const records: FamilyRecord[] = [];
  let cursor: Cursor | null = null;
  do {
    const page: Page<FamilyRecord> = await from.readPage(ctx.source.io(ctx.signal), {
      cursor,
      since: null,
      parentId,
    });
    records.push(...page.records);
    cursor = page.next;
  } while (cursor !== null && records.length < atMost);
  return { records, next: null };
};

/** What belongs to these records. What the tool refuses to show is missing here, and reported when its own stream is copied. */
const readBelongings = async (
  ctx: ChunkContext,
  pair: StreamPair,
  owners: readonly Owner[],
  atMost: number,
): Promise<readonly FamilyRecord[]> => {
  const { from } = pair;
  try {
    return await onSide("source", async () => {
      if (from.readByParents) return from.readByParents(ctx.source.io(ctx.signal), owners);
      if (from.perParent === undefined) return [];
      const ids = owners.filter(({ stream }) => stream === from.perParent).map(({ id }) => id);
      const records: FamilyRecord[] = [];
      // It stops when it has enough for a page: the others follow.
      for (let done = 0; done < ids.length; ) {
        const pages = await readParents(ids.slice(done), ctx.source.connector.manifest.concurrency, (id) =>
          readOwn(ctx, pair, id, atMost),
        );
        records.push(...pages.flatMap((page) => page.records));
        done += Math.max(1, pages.length);
      }
      return records;
    });
  } catch (error) {
    if (!isRefusedRead(error)) throw error;
    return [];
  }
};

/** Only of what the run copies: the choice of the mapping, and of a sample. */
const chosenAmong = async (
  ctx: ChunkContext,
  { from }: StreamPair,
  records: readonly FamilyRecord[],
): Promise<readonly FamilyRecord[]> => {
  const selected = records.filter((record) => ctx.mapping.isSelected(from.stream, record));
  if (ctx.lease.kind !== "sample") return selected;
  const ids = selected.map(({ id }) => id);
  const sampled = await listSampledAmong(ctx.db, { ...ctx.lease, stream: from.stream.name }, ids);
  return selected.filter(({ id }) => sampled.has(id));
};

/** Reads what the destination takes together with new records of this page. Before the claim, since it may take a while. */
export const readParts = async (
  ctx: ChunkContext,
  prepared: readonly PreparedRecord[],
  { found, arrived }: FoundFirst,
): Promise<Parts> => {
  const takes = pairOf(ctx).to?.takes;
  if (!takes) return noParts;
  const { db, lease } = ctx;
  const rows = await lookUp(
    db,
    lease,
    prepared.map(({ record }) => ({ stream: lease.stream, id: record.id })),
  );
  const isNew = ({ id }: FamilyRecord) => {
    const row = rows.get(targetKey(lease.stream, id));
    return !(row && isThere(row.state)) && !found.has(id) && !arrived.has(id);
  };
  const roots = await chosenAmong(ctx, pairOf(ctx), prepared.map(({ record }) => record).filter(isNew));
  /** The record of the page to which each record belongs, itself or through another part. */
  const rootOf = new Map(roots.map(({ id }) => [targetKey(lease.stream, id), id]));
  const of = new Map<string, Part[]>(roots.map(({ id }) => [id, []]));
  const owners: Owner[] = roots.map(({ id }) => ({ stream: lease.stream, id }));
  for (const stream of takes.streams) {
    const pair = ctx.streams.find(({ name }) => name === stream);
    if (!pair?.to || !ctx.mapping.includes(stream) || owners.length === 0) continue;
    const records = await readBelongings(ctx, pair, owners, takes.atMost);
    for (const record of await chosenAmong(ctx, pair, records)) {
      const [owner] = ownersOf(pair.from.stream, record);
      const root = owner && rootOf.get(targetKey(owner.stream, owner.id));
      const parts = root === undefined ? undefined : of.get(root);
      if (root === undefined || !parts || parts.length >= takes.atMost) continue;
      if (rootOf.has(targetKey(stream, record.id))) continue;
      parts.push({ stream, prepared: prepareRecord(forStream(ctx, stream), record) });
      rootOf.set(targetKey(stream, record.id), root);
      owners.push({ stream, id: record.id });
    }
  }
  const all = [...of.values()].flat();
  const targets = await lookUp(db, lease, [
    ...all.map((part) => ({ stream: part.stream, id: part.prepared.record.id })),
    ...all.flatMap((part) => part.prepared.references),
  ]);
  return { of, targets };
};

/** Puts the parts of each new record into its write. A part that can't be written yet comes later, by itself. */
export const withParts = (
  ctx: ChunkContext,
  writes: readonly ToWrite[],
  { of, targets }: Parts,
): readonly ToWrite[] => {
  if (of.size === 0) return writes;
  const { lease } = ctx;
  return writes.map((write) => {
    const { id } = write.prepared.record;
    const own = write.known === null ? (of.get(id) ?? []) : [];
    if (own.length === 0) return write;
    const together = new Map([[targetKey(lease.stream, id), write.key]]);
    const parts: PlannedPart[] = [];
    for (const { stream, prepared } of own) {
      const sourceId = prepared.record.id;
      const row = targets.get(targetKey(stream, sourceId));
      if (row && isThere(row.state)) continue;
      const made = toDestination(forStream(ctx, stream), { targets }, prepared, together);
      if (made.kind === "missing") continue;
      // The generation of the record's own key: a later look-up of the record then knows the keys of its parts.
      const key = externalKey({ ...lease, stream, sourceId, keyGeneration: write.keyGeneration });
      together.set(targetKey(stream, sourceId), key);
      parts.push({ stream, key, prepared, record: made.record });
    }
    return { ...write, parts };
  });
};
