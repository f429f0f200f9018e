import type { EventType, Family, StatusCode } from "@portage/contract";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import {
  type Counted,
  type CountedColumns,
  linkTokenIfKnown,
  openLinkToken,
  type RunKind,
  toCounted,
} from "../imports/index.ts";

export const keptDays = 30;

export interface EventRecord {
  readonly id: string;
  readonly type: EventType;
  readonly importId: string;
  readonly status: StatusCode;
  readonly previousStatus: StatusCode | null;
  readonly family: Family;
  readonly reference: string | null;
  readonly linkToken: Secret;
  /** Who or what closed the import; only of `import.closed`. */
  readonly reason: string | null;
  /** The import's counts when the event happened; null: the event is from before they were kept. */
  readonly figures: Counted | null;
  /** The import's counts as of its last ended run. */
  readonly counted: Counted;
  readonly liveRun: RunKind | null;
  readonly createdAt: Date;
}

type Row = Omit<EventRecord, "linkToken" | "counted"> & {
  dataKey: Buffer;
  linkToken: Buffer;
} & CountedColumns;

const columns = sql`e.id, e.type, e.import_id, e.status, e.previous_status, e.reason, e.figures, i.family, i.reference, i.data_key,
  i.link_token, i.items, i.source_people, i.destination_people, i.matched_people, i.live_run, e.created_at`;

const toRecord = (
  sealer: Sealer,
  open: typeof openLinkToken,
  { dataKey, linkToken, items, sourcePeople, destinationPeople, matchedPeople, ...event }: Row,
): EventRecord => ({
  ...event,
  counted: toCounted({ items, sourcePeople, destinationPeople, matchedPeople }),
  linkToken: open(sealer, { id: event.importId, dataKey, linkToken }),
});

/** Finds events of imports by their ids. */
export const findEvents = async (
  db: Database,
  sealer: Sealer,
  ids: readonly string[],
): Promise<readonly EventRecord[]> => {
  const { rows } = await sql<Row>`
    select ${columns} from events e join imports i on i.id = e.import_id where e.id = any(${ids})`.execute(
    db.sql,
  );
  return rows.map((row) => toRecord(sealer, openLinkToken, row));
};

/** A partner's events in the order of (transaction, number), up to the oldest transaction that is still open. */
export const listEvents = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<readonly EventRecord[] | "unknown_event"> => {
  if (after !== null) {
    const known = await db.sql
      .selectFrom("events")
      .select("id")
      .where("id", "=", after)
      .where("partnerId", "=", partnerId)
      .executeTakeFirst();
    if (!known) return "unknown_event";
  }
  const { rows } = await sql<Row>`
    select ${columns}
    from events e join imports i on i.id = e.import_id
    where e.partner_id = ${partnerId} and e.tx < pg_snapshot_xmin(pg_current_snapshot())
      and e.created_at > now() - make_interval(days => ${keptDays})
      and (${after}::text is null or (e.tx, e.seq) > (select a.tx, a.seq from events a where a.id = ${after}))
    order by e.tx, e.seq limit ${limit}`.execute(db.sql);
  return rows.map((row) => toRecord(sealer, linkTokenIfKnown, row));
};

/** Whether events are from transactions that this server has not reached: they were dumped on another one. */
export const areEventsAhead = async (db: Database): Promise<boolean> => {
  const { rows } = await sql<{ ahead: boolean }>`
    select exists (select from events where tx >= pg_snapshot_xmax(pg_current_snapshot())) as ahead`.execute(
    db.sql,
  );
  return rows[0]?.ahead === true;
};

const eventTables = ["events", "simulation_events"] as const;

/**
 * Numbers the events again that were dumped on another server: in their order, and before whatever this server adds. Cursors
 * are ids, so partners notice nothing. Returns how many events it numbered.
 */
export const restoreEventOrder = (db: Database): Promise<number> =>
  db.sql.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    let numbered = 0n;
    for (const name of eventTables) {
      const table = sql.table(name);
      await sql`lock table ${table} in share row exclusive mode`.execute(tx);
      // The first transaction of a server has the number 3.
      const done = await sql`
        update ${table} e set tx = '1'::xid8, seq = ranked.rank
        from (select id, row_number() over (order by tx, seq) as rank from ${table}
              where created_at <= (select max(created_at) from ${table}
                                   where tx >= pg_snapshot_xmax(pg_current_snapshot()))) ranked
        where ranked.id = e.id`.execute(tx);
      numbered += done.numAffectedRows ?? 0n;
    }
    return Number(numbered);
  });

/** The same, if the newest event is from another server: for every start of a process. */
export const restoreEventOrderIfNeeded = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ ahead: boolean }>`
    select tx >= pg_snapshot_xmax(pg_current_snapshot()) as ahead
    from events order by created_at desc limit 1`.execute(db.sql);
  return rows[0]?.ahead === true ? restoreEventOrder(db) : 0;
};

export const deleteOldEvents = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("events")
    .where("createdAt", "<", sql<Date>`now() - make_interval(days => ${keptDays})`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
