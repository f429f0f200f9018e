// Hot: every page of a run claims its records.
import type { Declared } from "@portage/connector-kit";
import { bytesArray, itself, textArray } from "../../../platform/array-literal.ts";
import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "../chunk/lease.ts";
import { type LedgerState, stateName } from "./row-state.ts";
import type { Wanted } from "../run.ts";

/** What the ledger knows of a record that is about to be copied. */
export interface KnownRow {
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly sourceHash: string | null;
  readonly destHash: string | null;
  readonly mappingRevision: number;
  /** Of the key that was sent for it; null: none was. */
  readonly keyGeneration: number | null;
  readonly parent: string | null;
  readonly runNumber: number;
  readonly declared?: Declared | null;
  /** An update without a clear answer may have changed the copy. */
  readonly unclear?: boolean;
}

/** The current target of a reference. */
export interface Target {
  readonly stream: string;
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

export interface ToClaim {
  readonly ids: readonly string[];
  readonly hashes: readonly string[];
  readonly parents: readonly string[];
  readonly targets: readonly { readonly stream: string; readonly id: string }[];
}

export interface Claimed {
  readonly wanted: Wanted;
  readonly known: ReadonlyMap<string, KnownRow>;
  readonly targets: ReadonlyMap<string, Target>;
}

export const targetKey = (stream: string, id: string): string => `${stream}/${id}`;

type Numbered<T> = Omit<T, "state"> & { readonly state: number };
interface Answer {
  wanted: Wanted | null;
  known: Numbered<KnownRow>[] | null;
  targets: Numbered<Target>[] | null;
}

const named = <T>(row: Numbered<T>) => ({ ...row, state: stateName(row.state) }) as T;

// Looks up each id by itself: a plan for an array, made while the table was empty, would scan all of it.
const knownRows = (leaf: string) =>
  `select json_agg(json_build_object('sourceId', k.source_id, 'state', k.state, 'destId', k.dest_id, 'reason', k.reason,
      'detail', k.detail, 'sourceHash', encode(k.source_hash, 'hex'), 'destHash', encode(k.dest_hash, 'hex'),
      'mappingRevision', k.mapping_revision, 'keyGeneration', k.key_generation, 'parent', k.parent,
      'runNumber', k.run_number, 'declared', k.declared, 'unclear', k.unclear))
    from unnest($4::text[]) u(id), lateral (select * from ${leaf} l
      where l.import_id = $9 and l.stream = $10 and l.source_id = u.id offset 0) k`;

const targetRows = (leaf: string) =>
  `select json_agg(json_build_object('stream', t.stream, 'sourceId', t.source_id, 'state', t.state, 'destId', t.dest_id,
      'reason', t.reason, 'detail', t.detail))
    from unnest($11::text[], $12::text[]) u(stream, id), lateral (select * from ${leaf} l
      where l.import_id = $9 and l.stream = u.stream and l.source_id = u.id offset 0) t`;

/**
 * Puts the batch on the partition's row, and answers the ledger's rows of it and of all its targets: one statement.
 * Undefined: another attempt has the partition, and nothing may be sent.
 */
export const claim = async (
  db: Database,
  lease: Lease,
  batch: ToClaim,
  { leaseMs, writeMs }: LeaseTimes,
): Promise<Claimed | undefined> => {
  const { rows } = await db.pool.query<Answer>({
    name: `claim-${lease.leaf}`,
    text: `with held as (
             update partitions p set batch_ids = $4, batch_hashes = $5, batch_parents = $6, batch_since = now(),
               batch_deadline = now() + $7 * interval '1 ms', due_at = now() + $8 * interval '1 ms'
             from runs r where p.run_id = $1 and p.no = $2 and is_held(p.lease_token, $3) and p.state = 'running' and r.id = p.run_id
             returning r.wanted)
           select (select wanted from held) as wanted, (${knownRows(lease.leaf)}) as known,
             (${targetRows(lease.leaf)}) as targets`,
    values: [
      lease.runId,
      lease.partition,
      lease.token,
      textArray(batch.ids, itself),
      bytesArray(batch.hashes, itself),
      textArray(batch.parents, itself),
      writeMs,
      leaseMs,
      lease.importId,
      lease.stream,
      textArray(batch.targets, ({ stream }) => stream),
      textArray(batch.targets, ({ id }) => id),
    ],
  });
  const [answer] = rows;
  if (!answer?.wanted) return undefined;
  return {
    wanted: answer.wanted,
    known: new Map((answer.known ?? []).map((row) => [row.sourceId, named<KnownRow>(row)])),
    targets: new Map(
      (answer.targets ?? []).map((row) => [targetKey(row.stream, row.sourceId), named<Target>(row)]),
    ),
  };
};

/** The ledger's row of a record, with its stream. */
export type LookedUp = KnownRow & { readonly stream: string };

/** The same queries without a claim, for read-only use. */
export const lookUp = async (
  db: Database,
  { leaf, importId }: Pick<Lease, "leaf" | "importId">,
  wanted: readonly { readonly stream: string; readonly id: string }[],
): Promise<ReadonlyMap<string, LookedUp>> => {
  if (wanted.length === 0) return new Map();
  const { rows } = await db.pool.query<Numbered<LookedUp>>({
    name: `look-up-${leaf}`,
    text: `select t.stream, t.source_id as "sourceId", t.state, t.dest_id as "destId", t.reason, t.detail,
             encode(t.source_hash, 'hex') as "sourceHash", encode(t.dest_hash, 'hex') as "destHash",
             t.mapping_revision as "mappingRevision", t.key_generation as "keyGeneration", t.parent,
             t.run_number as "runNumber", t.declared, t.unclear
           from unnest($2::text[], $3::text[]) u(stream, id), lateral (select * from ${leaf} l
             where l.import_id = $1 and l.stream = u.stream and l.source_id = u.id offset 0) t`,
    values: [importId, textArray(wanted, ({ stream }) => stream), textArray(wanted, ({ id }) => id)],
  });
  return new Map(rows.map((row) => [targetKey(row.stream, row.sourceId), named<LookedUp>(row)]));
};
