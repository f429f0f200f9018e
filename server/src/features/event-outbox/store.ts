import type { EventType, StatusCode } from "@portage/contract";
import { sql } from "kysely";
import type { Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import { figuresOf } from "./store-figures.ts";

interface NoticeBase {
  readonly partnerId: string;
  readonly type: EventType;
  readonly status: StatusCode;
  readonly previousStatus: StatusCode | null;
  /** Who or what closed the import; only of `import.closed`. */
  readonly reason?: string | null;
}

/** The figures of an import, as an event reports them. */
interface NoticeFigures {
  readonly items: Readonly<Record<string, number>>;
  readonly people: { readonly source: number; readonly destination: number; readonly matched: number };
}

/** An event for a partner: about an import, about a simulation, or with a payload of its own (a test). */
export type OutboxNotice = NoticeBase &
  (
    | { readonly importId: string }
    /** About a simulated import: stored separately, delivered the same way. */
    | { readonly simulationId: string; readonly figures: NoticeFigures }
    | {
        /** The body without `event_id`, `type` and `timestamp`; no secrets, as it is stored in plain text. */
        readonly payload: Readonly<Record<string, unknown>>;
        /** Events of one subject arrive in the order in which they were written; absent: in no order. */
        readonly subject?: string;
      }
  );

const testType: EventType = "webhook.test";

const subjectOf = (notice: OutboxNotice): string | null => {
  if ("importId" in notice) return notice.importId;
  return "simulationId" in notice ? notice.simulationId : (notice.subject ?? null);
};

const insertEvent = (id: string, notice: OutboxNotice) => {
  const { partnerId, type, status, previousStatus, reason = null } = notice;
  if ("simulationId" in notice)
    return sql`
      insert into simulation_events (id, partner_id, simulation_id, type, status, previous_status, reason, figures)
      values (${id}, ${partnerId}, ${notice.simulationId}, ${type}, ${status}, ${previousStatus}, ${reason},
        ${JSON.stringify(notice.figures)}::jsonb)`;
  const importId = "importId" in notice ? notice.importId : null;
  const payload = "payload" in notice ? JSON.stringify(notice.payload) : null;
  return sql`
    insert into events (id, partner_id, import_id, type, status, previous_status, reason, payload, figures)
    values (${id}, ${partnerId}, ${importId}, ${type}, ${status}, ${previousStatus}, ${reason}, ${payload}::jsonb,
      ${importId === null ? sql`null` : figuresOf(importId)})`;
};

/**
 * Writes the event with the import's figures of this moment and, if the partner has a webhook target for it, the delivery. A caller that writes about an import
 * holds its lock. This also locks the lane's last open delivery: a process that ends it meanwhile either sees the new
 * one as held and releases it, or finishes first, and the new one is not held at all.
 */
export const writeNotice = async (tx: Transaction, notice: OutboxNotice): Promise<string> => {
  const id = newId("evt");
  const importId = "importId" in notice ? notice.importId : null;
  const simulationId = "simulationId" in notice ? notice.simulationId : null;
  const subject = subjectOf(notice);
  await sql`
    with written as (
      ${insertEvent(id, notice)} returning seq
    ), target as (
      select ordered and ${subject}::text is not null as ordered from webhook_targets
      where partner_id = ${notice.partnerId}
        and (event_types is null or ${notice.type}::text = any(event_types) or ${notice.type}::text = ${testType})
    ), last as (
      select from webhook_deliveries where lane = ${subject} and state in ('waiting', 'sending', 'held')
      order by seq desc limit 1 for no key update
    ), new as (
      select seq, case when ordered then ${subject} else ${id} end as lane, ordered and exists (select from last) as held
      from written, target
    )
    insert into webhook_deliveries (event_id, partner_id, import_id, simulation_id, type, seq, lane, state,
      next_attempt_at, due_at)
    select ${id}, ${notice.partnerId}, ${importId}, ${simulationId}, ${notice.type}, seq, lane,
      case when held then 'held' else 'waiting' end, case when not held then now() end, case when not held then now() end
    from new`.execute(tx);
  return id;
};

/** Erases all events of simulations, with their deliveries and attempts, sent or not. */
export const eraseNotices = async (tx: Transaction, simulationIds: readonly string[]): Promise<void> => {
  const events = sql`select e.id from simulation_events e where e.simulation_id = any(${[...simulationIds]})`;
  await sql`delete from webhook_attempts where event_id in (${events})`.execute(tx);
  await sql`delete from webhook_deliveries where event_id in (${events})`.execute(tx);
  await sql`delete from simulation_events where simulation_id = any(${[...simulationIds]})`.execute(tx);
};
