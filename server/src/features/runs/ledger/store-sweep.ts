// Hot: every page of a sweep marks its records, and so does every page of a check.
import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes, Tallies } from "../chunk/lease.ts";
import type { Wanted } from "../run.ts";
import { stateNumber } from "./row-state.ts";
import { keepPace } from "./store-pace.ts";

export interface Swept {
  readonly marked: number;
  /** Seen in the source, and without a row with an outcome: there should be none. */
  readonly unaccounted: number;
}

/** The tally of records that a sweep saw and the ledger does not know. */
export const unaccounted = "unaccounted";

/** The first values of each statement: the attempt that must hold the partition, and the stream whose rows it marks. */
const holderOf = ({ runId, partition, token, importId, stream }: Lease) => [
  runId,
  partition,
  token,
  importId,
  stream,
];

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
      ...holderOf(lease),
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

/** Marks rows, unless another attempt has the partition: a later sweep may have marked them since. Moves no cursor. */
export const markRows = async (
  db: Database,
  lease: Lease,
  { ids, mark }: { ids: readonly string[]; mark: number },
): Promise<void> => {
  if (ids.length === 0) return;
  await db.pool.query({
    name: `mark-rows-${lease.leaf}`,
    text: `with held as materialized (
             select 1 from partitions where run_id = $1 and no = $2 and is_held(lease_token, $3) for update)
           update ${lease.leaf} l set swept = $7
           from held, (select k.place from unnest($6::text[]) u(id),
             lateral (select r.ctid as place from ${lease.leaf} r where r.import_id = $4 and r.stream = $5
               and r.source_id = u.id offset 0) k) f
           where l.ctid = f.place`,
    values: [...holderOf(lease), ids, mark],
  });
};

/**
 * Marks rows whose copies this run has compared with a page of the source, and stores the counts of their verdicts: both or
 * neither, so that each counts once. Without a cursor there is more to compare of the same page. Answers whether the run is to go
 * on; undefined: another attempt has the partition.
 */
export const markCompared = async (
  db: Database,
  lease: Lease,
  { ids, cursor, tallies }: { ids: readonly string[]; cursor?: { readonly to: unknown }; tallies: Tallies },
  { leaseMs }: LeaseTimes,
): Promise<Wanted | undefined> => {
  const { rows } = await db.pool.query<{ wanted: Wanted }>({
    name: `mark-compared-${lease.leaf}`,
    text: `with held as materialized (
             select r.wanted from partitions p join runs r on r.id = p.run_id
             where p.run_id = $1 and p.no = $2 and is_held(p.lease_token, $3) for update of p),
           marked as (
             update ${lease.leaf} l set compared = $7
             from held, (select k.place from unnest($6::text[]) u(id),
               lateral (select r.ctid as place from ${lease.leaf} r where r.import_id = $4 and r.stream = $5
                 and r.source_id = u.id offset 0) k) f
             where l.ctid = f.place
             returning 1),
           moved as (
             update partitions p set cursor = case when $8 then $9::jsonb else p.cursor end,
               read = p.read + (select count(*) from marked), tallies = $10,
               failures = 0, failing_since = null, attempts = 1, due_at = now() + $11 * interval '1 ms',
               ${keepPace("p.read + (select count(*) from marked)")}
             from held where p.run_id = $1 and p.no = $2 returning 1)
           select wanted from held`,
    values: [
      ...holderOf(lease),
      ids,
      lease.runNumber,
      cursor !== undefined,
      cursor === undefined ? null : JSON.stringify(cursor.to),
      JSON.stringify(tallies),
      leaseMs,
    ],
  });
  return rows[0]?.wanted;
};

export interface CarriedOver {
  /** Rows that this run has seen: read by its copy, or carried over from the sweep before. */
  readonly seen: number;
  /** The last row of the page; null: there is none. */
  readonly last: string | null;
}

/**
 * Carries marks over from the sweep before, to rows whose parent is still there and has not changed since; counts them with the
 * rows that this run has marked, and moves the cursor. What gets no mark is looked up by its id.
 */
export const carryOver = async (
  db: Database,
  lease: Lease,
  {
    after,
    limit,
    sweptBefore,
    tallies,
  }: { after: string | null; limit: number; sweptBefore: number; tallies: Tallies },
  { leaseMs }: LeaseTimes,
): Promise<CarriedOver | undefined> => {
  const { rows } = await db.pool.query<CarriedOver & { held: number }>({
    name: `carry-over-${lease.leaf}`,
    text: `with held as materialized (
             select 1 from partitions where run_id = $1 and no = $2 and is_held(lease_token, $3) for update),
           page as materialized (
             select l.ctid as place, l.source_id, l.swept, l.parent from ${lease.leaf} l
             where l.import_id = $4 and l.stream = $5 and l.source_id > $6 order by l.source_id limit $7),
           carried as (
             update ${lease.leaf} l set swept = $8
             from held, (select p.place from page p, lateral (select 1 from ${lease.leaf} t
               where t.import_id = $4 and t.stream = split_part(p.parent, '/', 1)
                 and t.source_id = substr(p.parent, strpos(p.parent, '/') + 1)
                 and t.swept = $8 and t.run_number < $8 and t.state <> ${stateNumber("matched")} offset 0) t
               where p.swept in ($9, $10)) f
             where l.ctid = f.place
             returning 1),
           seen as (select (select count(*) from carried) + (select count(*) from page where swept = $8) as n),
           last as (select max(source_id) as id from page),
           moved as (
             update partitions p set read = p.read + seen.n, tallies = $11,
               cursor = case when last.id is null then '{"ended": true}' else
                 jsonb_build_object('at', jsonb_build_object('carry', last.id)) end,
               failures = 0, failing_since = null, attempts = 1, due_at = now() + $12 * interval '1 ms',
               ${keepPace("p.read + seen.n")}
             from held, seen, last where p.run_id = $1 and p.no = $2 returning 1)
           select (select count(*) from moved)::int as held, (select n from seen)::int as seen,
             (select id from last) as last`,
    values: [
      ...holderOf(lease),
      after ?? "",
      limit,
      lease.runNumber,
      sweptBefore,
      metAfter(sweptBefore),
      JSON.stringify(tallies),
      leaseMs,
    ],
  });
  const [row] = rows;
  return row?.held === 1 ? { seen: row.seen, last: row.last } : undefined;
};

/** Whether the sweep of a stream has written records that its copy had missed. */
export const hasSweptUp = async (db: Database, runId: string, stream: string): Promise<boolean> => {
  const { rows } = await db.pool.query(
    `select from partitions where run_id = $1 and task = 'sweep' and stream = $2
       and created + updated + matched + skipped + failed + kept > 0 limit 1`,
    [runId, stream],
  );
  return rows.length > 0;
};
