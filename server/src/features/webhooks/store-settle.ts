import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Attempt, DeliveryRef } from "./delivery.ts";
import type { TargetHealth } from "./store-health.ts";
import { releaseLanes } from "./store-lanes.ts";

/** The result of one attempt of a taken delivery. */
export interface DeliverySettlement {
  readonly ref: DeliveryRef;
  readonly attempt: Attempt;
  /** Null: it says nothing new about the target. */
  readonly health: TargetHealth | null;
  readonly to: "delivered" | "failed" | "waiting";
  /** The delay until the next attempt. */
  readonly delayMs: number | null;
}

const jsonRows = (settlements: readonly DeliverySettlement[]) =>
  JSON.stringify(
    settlements.map(({ ref, attempt, to, delayMs }) => ({
      event_id: ref.eventId,
      generation: ref.generation,
      state: to,
      delay: delayMs && delayMs / 1_000,
      at: attempt.at,
      status: attempt.status,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      answer: attempt.answer,
    })),
  );

/**
 * Records attempts and updates the deliveries whose generation is still current: an attempt of a delivery that another
 * worker took over changes nothing. Returns the event ids of the updated deliveries.
 */
export const settleDelivery = (
  db: Database,
  settlements: readonly DeliverySettlement[],
  graceMs: number,
): Promise<ReadonlySet<string>> =>
  db.sql.transaction().execute(async (tx) => {
    const rows = jsonRows(settlements);
    const { rows: changed } = await sql<{ eventId: string; lane: string; state: string }>`
      with ended as materialized (
        select * from json_to_recordset(${rows}::json) as n (event_id text, generation integer, state text,
          delay double precision, at timestamptz, status integer, duration_ms integer, error text, answer text)
      ), kept as (
        insert into webhook_attempts (event_id, generation, at, status, duration_ms, error, answer)
        select event_id, generation, at, status, duration_ms, error, answer from ended on conflict do nothing
      )
      update webhook_deliveries d set state = n.state,
        failures = d.failures + (case when n.state = 'delivered' then 0 else 1 end),
        next_attempt_at = now() + make_interval(secs => n.delay),
        due_at = now() + make_interval(secs => n.delay + ${graceMs / 1_000}),
        ended_at = case when n.state <> 'waiting' then now() end
      from ended n
      where d.event_id = n.event_id and d.generation = n.generation and d.state = 'sending'
      returning d.event_id, d.lane, d.state`.execute(tx);
    // A separate statement: it must see what was written while the update waited for its rows.
    await releaseLanes(
      tx,
      changed.flatMap(({ lane, state }) => (state === "waiting" ? [] : [lane])),
    );
    return new Set(changed.map(({ eventId }) => eventId));
  });
