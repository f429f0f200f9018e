// Hot: every page of a sweep marks its records.
import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes, Tallies } from "../chunk/lease.ts";
import { keepPace } from "../ledger/store-pace.ts";

export interface Swept {
  readonly marked: number;
  /** Seen in the source, and without a row with an outcome: there should be none. */
  readonly unaccounted: number;
}

/** The tally of records that a sweep saw and the ledger does not know. */
export const unaccounted = "unaccounted";

/** Marks what a sweep has seen, and moves its cursor; each id counts once, however often it comes. */
export const markSwept = async (
  db: Database,
  lease: Lease,
  { ids, cursor, tallies }: { ids: readonly string[]; cursor: unknown; tallies: Tallies },
  { leaseMs }: LeaseTimes,
): Promise<Swept | undefined> => {
  const { rows } = await db.pool.query<Swept & { held: number }>({
    name: `mark-swept-${lease.leaf}`,
    text: `with held as materialized (
             select 1 from partitions where run_id = $1 and no = $2 and is_held(lease_token, $3) for update),
           marked as (
             update ${lease.leaf} l set swept = $7
             -- finds each row by key and updates it by ctid: a join would read the whole stream
             from held, (select k.place from (select distinct id from unnest($6::text[]) u(id)) u,
               lateral (select r.ctid as place from ${lease.leaf} r where r.import_id = $4 and r.stream = $5
                 and r.source_id = u.id and r.swept is distinct from $7 offset 0) k) f
             where l.ctid = f.place
             returning 1),
           lost as (
             select count(*) as n from (select distinct id from unnest($6::text[]) u(id)) u
             left join lateral (select 1 as there from ${lease.leaf} l
               where l.import_id = $4 and l.stream = $5 and l.source_id = u.id offset 0) l on true
             where l.there is null),
           moved as (
             update partitions p set cursor = $8, read = p.read + (select count(*) from marked),
               tallies = case when lost.n = 0 then $9::jsonb else $9::jsonb || jsonb_build_object($11::text,
                 coalesce(($9::jsonb ->> $11::text)::bigint, 0) + lost.n) end,
               failures = 0, failing_since = null, attempts = 1, due_at = now() + $10 * interval '1 ms',
               ${keepPace("p.read + (select count(*) from marked)")}
             from held, lost where p.run_id = $1 and p.no = $2 returning 1)
           select (select count(*) from moved)::int as held, (select count(*) from marked)::int as marked,
             (select n from lost)::int as unaccounted`,
    values: [
      lease.runId,
      lease.partition,
      lease.token,
      lease.importId,
      lease.stream,
      ids,
      lease.runNumber,
      JSON.stringify(cursor),
      JSON.stringify(tallies),
      leaseMs,
      `count|${unaccounted}`,
    ],
  });
  const [row] = rows;
  return row?.held === 1 ? { marked: row.marked, unaccounted: row.unaccounted } : undefined;
};

/** The tally of records that a sweep missed, and that exist nevertheless. */
export const metById = "met_by_id";

/** The mark of a row that the sweep of a run missed, and that was found by its id afterwards. */
export const metAfter = (sweptBy: number): number => -sweptBy;

/** Marks such rows, unless another attempt has the partition: a later sweep may have marked them since. */
export const markMet = async (
  db: Database,
  lease: Lease,
  { ids, sweptBy }: { ids: readonly string[]; sweptBy: number },
): Promise<void> => {
  if (ids.length === 0) return;
  await db.pool.query({
    name: `mark-met-${lease.leaf}`,
    text: `with held as materialized (
             select 1 from partitions where run_id = $1 and no = $2 and is_held(lease_token, $3) for update)
           update ${lease.leaf} l set swept = $7
           from held, (select k.place from unnest($6::text[]) u(id),
             lateral (select r.ctid as place from ${lease.leaf} r where r.import_id = $4 and r.stream = $5
               and r.source_id = u.id offset 0) k) f
           where l.ctid = f.place`,
    values: [lease.runId, lease.partition, lease.token, lease.importId, lease.stream, ids, metAfter(sweptBy)],
  });
};
