import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { firstIdAt } from "../../platform/ids.ts";
import type { Attempt, Delivery } from "./delivery.ts";
import { releaseLanes } from "./store-lanes.ts";

/** The most attempts shown of a delivery: a schedule, plus replays by the operator. */
const maxAttempts = 50;

export interface DeliveriesQuery {
  /** Only deliveries older than this event. */
  readonly after: string | null;
  readonly limit: number;
  readonly eventId: string | null;
  /** Absent: of every import. */
  readonly importId?: string | null;
  /** Absent: both. Events of neither, such as a test, are listed with either. */
  readonly of?: "imports" | "simulations";
}

type Row = Omit<Delivery, "attempts"> & {
  readonly attempts: readonly (Omit<Attempt, "at"> & { readonly at: string })[];
};

/** A partner's deliveries with their attempts, newest first. */
export const listDeliveries = async (
  db: Database,
  partnerId: string,
  { after, limit, eventId, importId = null, of }: DeliveriesQuery,
): Promise<readonly Delivery[]> => {
  const { rows } = await sql<Row>`
    select d.event_id, d.partner_id, d.import_id, d.simulation_id, d.type, d.state, d.next_attempt_at, d.created_at,
      coalesce(a.attempts, '[]') as attempts
    from webhook_deliveries d left join lateral (
      select json_agg(json_build_object('at', l.at, 'status', l.status, 'durationMs', l.duration_ms, 'error', l.error,
        'answer', l.answer) order by l.generation) as attempts
      from (select * from webhook_attempts w
            where w.event_id = d.event_id order by w.generation desc limit ${maxAttempts}) l
    ) a on true
    where d.partner_id = ${partnerId} and (${after}::text is null or d.event_id < ${after})
      and (${eventId}::text is null or d.event_id = ${eventId})
      and (${importId}::text is null or d.import_id = ${importId})
      and (${of ?? null}::text is distinct from 'imports' or d.simulation_id is null)
      and (${of ?? null}::text is distinct from 'simulations' or d.import_id is null)
    order by d.event_id desc limit ${limit}`.execute(db.sql);
  return rows.map((row) => ({
    ...row,
    attempts: row.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  }));
};

export interface DeliveryCounts {
  readonly waiting: number;
  readonly held: number;
}

/** Counts deliveries that have not arrived yet and still may. */
export const countOpen = async (db: Database, partnerId: string): Promise<DeliveryCounts> => {
  const { rows } = await sql<DeliveryCounts>`
    select count(*) filter (where state <> 'held') as waiting, count(*) filter (where state = 'held') as held
    from webhook_deliveries where partner_id = ${partnerId} and state in ('waiting', 'sending', 'held')`.execute(
    db.sql,
  );
  return rows[0] ?? { waiting: 0, held: 0 };
};

export const deliveriesKeptDays = 30;

/** Deletes deliveries and attempts past their retention, by the database's clock; ids are ordered by time. */
export const deleteOldDeliveries = (db: Database): Promise<number> =>
  db.sql.transaction().execute(async (tx) => {
    const { rows } = await sql<{ limit: Date }>`
      select now() - make_interval(days => ${deliveriesKeptDays}) as "limit"`.execute(tx);
    const limit = rows[0]?.limit ?? new Date(0);
    const oldest = firstIdAt("evt", limit.getTime());
    await tx.deleteFrom("webhookAttempts").where("eventId", "<", oldest).where("at", "<", limit).execute();
    const deleted = await tx
      .deleteFrom("webhookDeliveries")
      .where("eventId", "<", oldest)
      .where((eb) => eb(eb.fn.coalesce("endedAt", "createdAt"), "<", limit))
      .returning("lane")
      .execute();
    // A delivery that was held by one of them would wait forever.
    await releaseLanes(
      tx,
      deleted.map(({ lane }) => lane),
    );
    return deleted.length;
  });
