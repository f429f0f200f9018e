import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { releaseLanes } from "./store-lanes.ts";
import { disabledText, type WebhookTarget } from "./target.ts";

export type Replayed =
  /** A worker sends it as soon as it can. */
  | { readonly kind: "replayed" }
  /** Its delivery is under way: being sent, or held by an earlier event of its import. */
  | { readonly kind: "under_way" }
  /** Nothing was queued: no worker would send it. `text` says since when the target is disabled, and why. */
  | { readonly kind: "disabled"; readonly text: string }
  | { readonly kind: "no_target" }
  | { readonly kind: "missing" };

/** The tables of import events and simulation events; an event of neither, such as a test, is found with either. */
const eventsOf = {
  imports: sql`select id, partner_id, import_id, null as simulation_id, type, seq from events`,
  simulations: sql`
    select id, partner_id, null as import_id, simulation_id, type, seq from simulation_events
    union all select id, partner_id, null, null, type, seq from events where import_id is null`,
} as const;

/** Sends an event again, or at once if it waits for its next attempt; outside its import's order, as requested. */
export const replayEvent = (
  db: Database,
  partnerId: string,
  eventId: string,
  of: keyof typeof eventsOf = "imports",
): Promise<Replayed> =>
  db.sql.transaction().execute(async (tx): Promise<Replayed> => {
    const { rows: known } = await sql`
      select from (${eventsOf[of]}) e where e.id = ${eventId} and e.partner_id = ${partnerId}`.execute(tx);
    if (known.length === 0) return { kind: "missing" };
    const target = await tx
      .selectFrom("webhookTargets")
      .select(["disabledAt", "disabledBecause"])
      .where("partnerId", "=", partnerId)
      .executeTakeFirst();
    if (!target) return { kind: "no_target" };
    const text = disabledText(target as Pick<WebhookTarget, "disabledAt" | "disabledBecause">);
    if (text !== null) return { kind: "disabled", text };
    const { rows } = await sql`
      insert into webhook_deliveries as d
        (event_id, partner_id, import_id, simulation_id, type, seq, lane, state, next_attempt_at, due_at)
      select id, partner_id, import_id, simulation_id, type, seq, id, 'waiting', now(), now()
      from (${eventsOf[of]}) e where id = ${eventId}
      on conflict (event_id) do update set state = 'waiting', failures = 0, generation = d.generation + 1,
        lane = case when d.state = 'waiting' then d.lane else d.event_id end,
        next_attempt_at = now(), due_at = now(), ended_at = null
      where d.state in ('waiting', 'delivered', 'failed')
      returning event_id`.execute(tx);
    return { kind: rows.length === 1 ? "replayed" : "under_way" };
  });

export interface ReplayRange {
  readonly since: Date;
  readonly until: Date;
  /** Only events that were not delivered. */
  readonly undelivered: boolean;
}

/**
 * Replays the events of a time range, in order per import, independently of new events. Skips deliveries that are under
 * way. Returns the number of replayed events.
 */
export const replayRange = (
  db: Database,
  partnerId: string,
  { since, until, undelivered }: ReplayRange,
): Promise<number> =>
  db.sql.transaction().execute(async (tx) => {
    const lanes = `:${randomUUID()}`;
    const { rows } = await sql<{ lane: string }>`
      insert into webhook_deliveries as d (event_id, partner_id, import_id, type, seq, lane, state)
      select e.id, e.partner_id, e.import_id, e.type, e.seq,
        case when t.ordered then e.import_id else e.id end || ${lanes}, 'held'
      from events e join webhook_targets t on t.partner_id = e.partner_id
      where e.partner_id = ${partnerId} and e.import_id is not null
        and e.created_at >= ${since} and e.created_at < ${until}
        and (t.event_types is null or e.type = any(t.event_types))
      on conflict (event_id) do update set state = 'held', failures = 0, generation = d.generation + 1,
        lane = excluded.lane, next_attempt_at = null, due_at = null, ended_at = null
      where d.state = 'failed' or (d.state = 'delivered' and not ${undelivered}::boolean)
      returning lane`.execute(tx);
    await releaseLanes(
      tx,
      rows.map(({ lane }) => lane),
    );
    return rows.length;
  });
