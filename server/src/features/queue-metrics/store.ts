import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

/** How much of something there is. */
export interface Amount {
  readonly label: string;
  readonly value: number;
}

export interface LiveRuns {
  readonly kind: string;
  readonly waitingFor: string | null;
  readonly paused: string | null;
  readonly value: number;
}

export const countLiveRuns = async (db: Database): Promise<readonly LiveRuns[]> =>
  (
    await sql<LiveRuns>`
      select kind, waiting_for,
        case when wanted = 'pause' then case when refusals is null then 'person' else 'refusals' end end as paused,
        count(*) as value
      from runs where ended_at is null group by 1, 2, 3`.execute(db.sql)
  ).rows;

export interface PartitionSums {
  readonly running: number;
  readonly overdue: number;
  readonly oldestSilence: number;
  readonly oldestLease: number;
  readonly oldestFailing: number;
  readonly inDoubt: number;
}

/** Partitions of runs that rest are not overdue, but what they wrote last may be in doubt. */
export const sumPartitions = async (db: Database, leaseMs: number): Promise<PartitionSums | undefined> =>
  (
    await sql<PartitionSums>`
      with p as (
        select extract(epoch from now() - p.due_at)::float8 as overdue_for,
          extract(epoch from now() - p.failing_since)::float8 as failing_for,
          case when p.batch_deadline < now() then cardinality(p.batch_ids) end as in_doubt,
          r.state = 'running' and r.wanted <> 'pause' as at_work
        from partitions p join runs r on r.id = p.run_id
        where p.state = 'running' and r.ended_at is null)
      select count(*) filter (where at_work) as running,
        count(*) filter (where at_work and overdue_for > 0) as overdue,
        coalesce(greatest(0, max(overdue_for) filter (where at_work)), 0) as oldest_silence,
        coalesce(greatest(0, max(overdue_for + ${leaseMs / 1_000}::float8) filter (where at_work)), 0) as oldest_lease,
        coalesce(max(failing_for) filter (where at_work), 0) as oldest_failing,
        coalesce(sum(in_doubt), 0) as in_doubt
      from p`.execute(db.sql)
  ).rows[0];

export interface QueueDepth {
  readonly count: number;
  readonly oldest: number;
}

const none: QueueDepth = { count: 0, oldest: 0 };

/** Effects of the dispatcher: partner events and refunds have readers of their own. */
export const sumOutbox = async (db: Database): Promise<QueueDepth> =>
  (
    await sql<QueueDepth>`
      select count(*) as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
      from outbox where dispatched_at is null and effect ->> 'kind' <> 'notify' and effect ->> 'kind' <> 'refund'`.execute(
      db.sql,
    )
  ).rows[0] ?? none;

export const sumMails = async (db: Database): Promise<QueueDepth> =>
  (
    await sql<QueueDepth>`
      select count(*) as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
      from mails where state = 'waiting'`.execute(db.sql)
  ).rows[0] ?? none;

const countedDeliveries = 100_000;

export const countDeliveries = async (db: Database): Promise<readonly Amount[]> =>
  (
    await sql<Amount>`
      select state as label, count(*) as value
      from (select state from webhook_deliveries where state in ('waiting', 'sending', 'held')
            limit ${countedDeliveries}) as counted
      group by state`.execute(db.sql)
  ).rows;

/**
 * Endpoint by endpoint, so that it reads one row of each and not the backlog. An endpoint that fails gets one call at a
 * time and falls behind by itself: that is the partner's to mend, and no sign that the service is late.
 */
export const oldestDueDelivery = async (db: Database): Promise<number> =>
  (
    await sql<{ oldest: number }>`
      select coalesce(greatest(0, extract(epoch from now() - min(d.due_at))), 0)::float8 as oldest
      from webhook_targets t cross join lateral (
        select due_at from webhook_deliveries w
        where w.partner_id = t.partner_id and w.state in ('waiting', 'sending') order by w.due_at limit 1) d
      where t.disabled_at is null and t.failing_since is null`.execute(db.sql)
  ).rows[0]?.oldest ?? 0;

export const countDisabledTargets = async (db: Database): Promise<readonly Amount[]> =>
  (
    await sql<Amount>`
      select disabled_because as label, count(*) as value from webhook_targets
      where disabled_at is not null group by 1`.execute(db.sql)
  ).rows;

export const sumOverduePayments = async (db: Database): Promise<readonly (QueueDepth & { what: string })[]> =>
  (
    await sql<QueueDepth & { what: string }>`
      select 'checkout' as what, count(*) as count,
        coalesce(extract(epoch from now() - min(next_look_at)), 0)::float8 as oldest
      from checkouts where next_look_at < now()
      union all
      select 'refund', count(*), coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8
      from refunds where state in ('due', 'asked') and next_attempt_at < now()`.execute(db.sql)
  ).rows;

/** How many rows of a table are older than that; counts no further than the limit. */
const countOlder = async (
  db: Database,
  { table, column, days }: { readonly table: string; readonly column: string; readonly days: number },
  limit: number,
): Promise<number> =>
  (
    await sql<{ count: number }>`
      select count(*) as count from (
        select from ${sql.table(table)}
        where ${sql.ref(column)} < now() - ${days}::float8 * interval '1 day' limit ${limit}) as overdue`.execute(
      db.sql,
    )
  ).rows[0]?.count ?? 0;

const countedRows = 10_000;

export const countOverdueRows = async (
  db: Database,
  rules: readonly { readonly table: string; readonly column: string; readonly days: number }[],
): Promise<readonly Amount[]> => {
  const amounts: Amount[] = [];
  for (const rule of rules)
    amounts.push({ label: rule.table, value: await countOlder(db, rule, countedRows) });
  return amounts;
};

/** Of every table, with its indexes; partitions count towards their table. */
export const tableSizes = async (db: Database): Promise<readonly Amount[]> =>
  (
    await sql<Amount>`
      select root.relname as label, sum(pg_total_relation_size(c.oid))::float8 as value
      from pg_class c join pg_class root on root.oid = coalesce(pg_partition_root(c.oid), c.oid)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1`.execute(db.sql)
  ).rows;
