// Hot: every page of a run settles its records.
import type { Declared } from "@portage/connector-kit";
import { bytesArray, itself, jsonArray, numberArray, textArray } from "../../../platform/array-literal.ts";
import type { Database } from "../../../platform/db.ts";
import type { Batch, Counts, Lease, LeaseTimes, Tallies } from "../chunk/lease.ts";
import { type LedgerState, stateNumber } from "./row-state.ts";
import { keepPace } from "./store-pace.ts";

/** The new state of a ledger row. */
export interface SettledRow {
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly destId: string | null;
  readonly sourceHash: string | null;
  readonly destHash: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  /** Of the key that was sent for it, by this or an earlier run; null: none was. */
  readonly keyGeneration: number | null;
  /**
   * The parent in the source, as `stream/id`, of a record that may have a copy with an unknown id, and of all records of a stream
   * that changes with its parent.
   */
  readonly parent: string | null;
  /** How the copy may differ from its record, as the destination declared with the write. */
  readonly declared?: Declared | null;
  /** An update without a clear answer may have changed the copy. */
  readonly unclear?: boolean;
}

export interface Link {
  readonly sourceId: string;
  readonly field: string;
  readonly toStream: string;
  readonly toId: string;
}

export interface Settlement {
  readonly rows: readonly SettledRow[];
  readonly counts: Counts;
  readonly tallies: Tallies;
  /** Undefined: the cursor stays, since something of the page is still open. */
  readonly cursor?: { readonly to: unknown };
  /** What is still unknown; its requests have ended. */
  readonly inDoubt: Pick<Batch, "ids" | "hashes" | "parents"> | null;
  /** Copies that an update without an answer may have changed: their rows are marked, and stay as they are otherwise. */
  readonly unclear?: readonly string[];
  /** Links that can't be set yet; other links of the same records are done. */
  readonly links?: { readonly of: readonly string[]; readonly pending: readonly Link[] };
}

const rowsPart = (leaf: string) => `rows as (
  insert into ${leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, dest_id,
    source_hash, dest_hash, reason, detail, parent, declared, unclear)
  select $4, $5, u.source_id, u.state, u.key_generation, $7, $8, u.dest_id, u.source_hash, u.dest_hash, u.reason, u.detail,
    u.parent, u.declared, u.source_id = any($33::text[])
  from held, unnest($9::text[], $10::smallint[], $11::text[], $12::bytea[], $13::bytea[], $14::text[], $15::text[],
    $6::integer[], $31::text[], $32::jsonb[]) u(source_id, state, dest_id, source_hash, dest_hash, reason, detail, key_generation, parent, declared)
  on conflict (import_id, stream, source_id) do update set state = excluded.state,
    key_generation = excluded.key_generation, mapping_revision = excluded.mapping_revision, run_number = excluded.run_number, dest_id = excluded.dest_id,
    source_hash = excluded.source_hash, dest_hash = excluded.dest_hash, reason = excluded.reason,
    detail = excluded.detail, parent = excluded.parent, declared = excluded.declared,
    unclear = excluded.unclear
  returning 1)`;

const partitionPart = `held as (
  update partitions set cursor = case when $16 then $17::jsonb else cursor end, batch_ids = $18, batch_hashes = $19,
    batch_parents = $20,
    -- no request of it is in flight any more, so the grace counts from here
    batch_deadline = case when $18::text[] is null then null else now() end,
    batch_since = case when $18::text[] is null then null else batch_since end,
    due_at = now() + $21 * interval '1 ms', failures = case when $16 then 0 else failures end, attempts = case when $16 then 1 else attempts end,
    failing_since = case when $16 then null else failing_since end,
    read = read + $22, created = created + $23, updated = updated + $24, matched = matched + $25,
    skipped = skipped + $26, failed = failed + $27, removed = removed + $28, kept = kept + $29, tallies = $30,
    ${keepPace("read + $22")}
  where run_id = $1 and no = $2 and is_held(lease_token, $3) and state = 'running' returning 1)`;

// The two sets are disjoint, so one statement can hold both.
const linksPart = `gone as (
  delete from pending_links p using held where p.import_id = $4 and p.stream = $5 and p.source_id = any($34::text[])
    and not exists (select 1 from unnest($35::text[], $36::text[], $37::text[], $38::text[]) n(id, field, to_stream, to_id)
      where n.id = p.source_id and n.field = p.field and n.to_stream = p.to_stream and n.to_id = p.to_id)
  returning 1), pending as (
  insert into pending_links (import_id, stream, source_id, field, to_stream, to_id)
  select $4, $5, n.id, n.field, n.to_stream, n.to_id
  from held, unnest($35::text[], $36::text[], $37::text[], $38::text[]) n(id, field, to_stream, to_id)
  on conflict do nothing returning 1)`;

const unclearPart = (leaf: string) => `marked as (
  update ${leaf} l set unclear = true from held
  where l.import_id = $4 and l.stream = $5 and l.source_id = any($34::text[]) returning 1)`;

/**
 * The one statement that commits a page: ledger rows, cursor, counters and batch move together, or not at all if
 * another attempt has the partition (false).
 */
export const settle = async (
  db: Pick<Database, "pool">,
  lease: Lease,
  { rows, counts, tallies, cursor, inDoubt, unclear = [], links }: Settlement,
  { leaseMs }: LeaseTimes,
): Promise<boolean> => {
  const parts = [partitionPart, rowsPart(lease.leaf)];
  const values: unknown[] = [
    lease.runId,
    lease.partition,
    lease.token,
    lease.importId,
    lease.stream,
    numberArray(rows, ({ keyGeneration }) => keyGeneration),
    lease.mappingRevision,
    lease.runNumber,
    textArray(rows, ({ sourceId }) => sourceId),
    numberArray(rows, ({ state }) => stateNumber(state)),
    textArray(rows, ({ destId }) => destId),
    bytesArray(rows, (row) => row.sourceHash),
    bytesArray(rows, ({ destHash }) => destHash),
    textArray(rows, ({ reason }) => reason),
    textArray(rows, ({ detail }) => detail),
    cursor !== undefined,
    cursor === undefined ? null : JSON.stringify(cursor.to),
    inDoubt && textArray(inDoubt.ids, itself),
    inDoubt && bytesArray(inDoubt.hashes, itself),
    inDoubt && textArray(inDoubt.parents, itself),
    leaseMs,
    counts.read,
    counts.created,
    counts.updated,
    counts.matched,
    counts.skipped,
    counts.failed,
    counts.removed,
    counts.kept,
    JSON.stringify(tallies),
    textArray(rows, ({ parent }) => parent),
    jsonArray(rows, ({ declared }) => declared ?? null),
    textArray(
      rows.filter((row) => row.unclear === true),
      ({ sourceId }) => sourceId,
    ),
  ];
  if (unclear.length > 0 && links) throw new Error("A batch in doubt has no links.");
  if (unclear.length > 0) {
    parts.push(unclearPart(lease.leaf));
    values.push(textArray(unclear, itself));
  }
  if (links) {
    parts.push(linksPart);
    const { of, pending } = links;
    values.push(
      textArray(of, itself),
      textArray(pending, ({ sourceId }) => sourceId),
      textArray(pending, ({ field }) => field),
      textArray(pending, ({ toStream }) => toStream),
      textArray(pending, ({ toId }) => toId),
    );
  }
  const { rows: answer } = await db.pool.query<{ held: number }>({
    name: `settle-${lease.leaf}${links ? "-links" : unclear.length > 0 ? "-unclear" : ""}`,
    text: `with ${parts.join(", ")} select count(*)::int as held from held`,
    values,
  });
  const isHeld = answer[0]?.held === 1;
  if (isHeld) lease.onSettled?.(counts);
  return isHeld;
};
