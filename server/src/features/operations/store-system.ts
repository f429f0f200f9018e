import type { StatusCode } from "@portage/contract";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

export interface WebhookBacklog {
  readonly partnerId: string;
  readonly waiting: number;
  readonly sending: number;
  readonly held: number;
  /** Since when the oldest of them is due. */
  readonly oldestDueAt: Date | null;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledBecause: string | null;
}

/** Of every partner that has something open: its counts and its endpoint. */
const openDeliveries = sql`
  with open as materialized (
    select partner_id, state, due_at from webhook_deliveries where state in ('waiting', 'sending', 'held'))
  select o.partner_id, count(*) filter (where o.state = 'waiting')::int as waiting,
    count(*) filter (where o.state = 'sending')::int as sending, count(*) filter (where o.state = 'held')::int as held,
    min(o.due_at) as oldest_due_at, t.failing_since, t.disabled_at, t.disabled_because
  from open o left join webhook_targets t on t.partner_id = o.partner_id
  group by o.partner_id, t.failing_since, t.disabled_at, t.disabled_because`;

/** What was queued a moment ago is on its way; where the endpoint fails, the next attempt is due later, but the event is late. */
const isBehind = sql`(b.oldest_due_at < now() - interval '1 minute' or b.failing_since is not null or b.disabled_at is not null)`;

/** What has not reached its partner yet, of every partner that has something open, or of those that are behind; the longest first. */
export const listBacklog = async (
  db: Database,
  { behind, limit }: { readonly behind: boolean; readonly limit: number },
): Promise<readonly WebhookBacklog[]> => {
  const { rows } = await sql<WebhookBacklog>`
    select * from (${openDeliveries}) b where ${behind ? isBehind : sql`true`}
    order by b.oldest_due_at nulls last limit ${limit}`.execute(db.sql);
  return rows;
};

/** How many partners are behind. */
export const countBehind = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ partners: number }>`
    select count(*)::int as partners from (${openDeliveries}) b where ${isBehind}`.execute(db.sql);
  return rows[0]?.partners ?? 0;
};

export interface ProcessSessions {
  /** `portage api`, `portage worker`, … */
  readonly name: string;
  /** Null: unknown, as of a command. */
  readonly release: string | null;
  readonly address: string | null;
  readonly sessions: number;
  readonly since: Date;
  readonly lastActiveAt: Date | null;
}

/** The processes that hold sessions of the database now, by kind and address. */
export const listProcesses = async (db: Database): Promise<readonly ProcessSessions[]> => {
  const { rows } = await sql<ProcessSessions>`
    select coalesce(substring(application_name from '^portage [a-z]+'), application_name) as name,
      substring(application_name from '^portage [a-z]+ (.+)') as release, host(client_addr) as address, count(*)::int as sessions,
      min(backend_start) as since, max(state_change) as last_active_at
    from pg_stat_activity where datname = current_database() and application_name like 'portage%'
    group by application_name, client_addr order by application_name, client_addr`.execute(db.sql);
  return rows;
};

export interface WorkInHand {
  /** Partitions of live runs, and those of them whose lease is over. */
  readonly partitions: number;
  readonly overdue: number;
  /** Effects that no worker has taken yet. */
  readonly effects: number;
  readonly oldestEffectAt: Date | null;
}

export const countWork = async (db: Database): Promise<WorkInHand> => {
  const { rows } = await sql<WorkInHand>`
    select parts.partitions, parts.overdue, effects.effects, effects.oldest_effect_at from
      (select count(*)::int as partitions, count(*) filter (where p.due_at < now())::int as overdue
       from partitions p join runs r on r.id = p.run_id
       where p.state = 'running' and r.ended_at is null and r.state = 'running' and r.wanted <> 'pause') parts,
      (select count(*)::int as effects, min(created_at) as oldest_effect_at from outbox
       where dispatched_at is null and effect ->> 'kind' <> 'notify' and effect ->> 'kind' <> 'refund') effects`.execute(
    db.sql,
  );
  return rows[0] ?? { partitions: 0, overdue: 0, effects: 0, oldestEffectAt: null };
};

/** How many open imports have each status that at least one has: from an index alone. */
export const countOpenImports = async (
  db: Database,
): Promise<readonly { readonly status: StatusCode; readonly imports: number }[]> => {
  const { rows } = await sql<{ status: StatusCode; imports: number }>`
    select status, count(*)::int as imports from imports where closed is null group by status`.execute(
    db.sql,
  );
  return rows;
};

export const countLiveImports = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ imports: number }>`
    select count(*)::int as imports from imports where live_run is not null`.execute(db.sql);
  return rows[0]?.imports ?? 0;
};

export interface TableSize {
  readonly table: string;
  /** With indexes and out-of-line values. */
  readonly bytes: number;
  /** As the planner estimates. */
  readonly rows: number;
}

/**
 * The size of every table, largest first; the leaves of a partitioned one count as that table. The database's size is a query of
 * its own: it looks at every file, and would otherwise be asked for once per table.
 */
export const listTableSizes = async (
  db: Database,
): Promise<{ readonly databaseBytes: number; readonly tables: readonly TableSize[] }> => {
  const { rows } = await sql<TableSize & { databaseBytes: number }>`
    select coalesce(substring(c.relname from '^ledger')::name, c.relname) as table,
      sum(pg_total_relation_size(c.oid))::float8 as bytes, sum(greatest(c.reltuples, 0))::float8 as rows,
      (select pg_database_size(current_database()))::float8 as database_bytes
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    group by 1 order by 2 desc`.execute(db.sql);
  return {
    databaseBytes: rows[0]?.databaseBytes ?? 0,
    tables: rows.map(({ table, bytes, rows: count }) => ({ table, bytes, rows: count })),
  };
};
