import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Occasion } from "../mail-outbox/index.ts";

/** A mail that this process has claimed to send now. */
export interface DueMail {
  readonly id: string;
  readonly importId: string;
  readonly occasion: Occasion;
  readonly about: string;
  readonly runId: string;
  /** The current attempt included. */
  readonly attempts: number;
  readonly claim: string;
}

/** Takes due mails. No other process gets them until `leaseMs` have passed, even if this process dies. */
export const takeDueMails = async (
  db: Database,
  limit: number,
  leaseMs: number,
): Promise<readonly DueMail[]> => {
  const { rows } = await sql<DueMail>`
    update mails set attempts = attempts + 1, claim = ${randomUUID()},
      next_attempt_at = now() + ${leaseMs} * interval '1 millisecond'
    where id = any(array(select id from mails where state = 'waiting' and next_attempt_at <= now()
      order by next_attempt_at limit ${limit} for update skip locked))
    returning id, import_id, occasion, about, run_id, attempts, claim`.execute(db.sql);
  return rows;
};

export type MailEnd = "sent" | "dropped" | "refused" | "given_up";

export const endMail = async (db: Database, { id, claim }: DueMail, state: MailEnd): Promise<void> => {
  await db.sql
    .updateTable("mails")
    .set({ state, endedAt: sql`now()`, claim: null })
    .where("id", "=", id)
    .where("claim", "=", claim)
    .where("state", "=", "waiting")
    .execute();
};

export const putOffMail = async (db: Database, { id, claim }: DueMail, pauseMs: number): Promise<void> => {
  await db.sql
    .updateTable("mails")
    .set({ claim: null, nextAttemptAt: sql`now() + ${pauseMs} * interval '1 millisecond'` })
    .where("id", "=", id)
    .where("claim", "=", claim)
    .where("state", "=", "waiting")
    .execute();
};

/** Whether the customer is still needed: after they signed in, paid or started, no mail must ask them to. */
export const isStillNeeded = async (
  db: Database,
  { importId, about, runId }: Pick<DueMail, "importId" | "about" | "runId">,
): Promise<boolean> => {
  const { rows } = await sql<{ needed: boolean }>`
    select case
      when ${about}::text in ('run_failed', 'run_stopped')
      then i.live_run is null and not exists (select from runs r where r.import_id = i.id and r.number >
        (select number from runs e where e.id = ${runId}))
      when ${about}::text = 'start_missed'
      then exists (select from scheduled_starts s where s.import_id = i.id and s.state = 'missed')
      when ${about}::text in ('sponsorship_accepted', 'bought')
      then i.status = 'in_preparation' and not exists (select from runs r where r.import_id = i.id and r.number >
        coalesce((select number from runs e where e.id = ${runId}), 0))
      when ${about}::text = 'sponsorship_rejected'
      then i.sponsorship = 'rejected' and i.status in ('sample_completed', 'waiting_for_sample') and not exists (
        select from money_entries e where e.import_id = i.id and e.account = 'customer_paid' having sum(e.amount) > 0)
      else exists (select from import_warnings w
        where w.import_id = i.id and w.code = 'action_required' and w.stream = ${about})
      end as needed
    from imports i where i.id = ${importId} and i.closed is null`.execute(db.sql);
  return rows[0]?.needed ?? false;
};

/** Whether the start that a mail announces is still ahead, at that time. */
export const isStillPlanned = async (
  db: Database,
  { importId, about }: Pick<DueMail, "importId" | "about">,
): Promise<boolean> => {
  const [startsAt = ""] = about.split(" ", 1);
  const { rows } = await sql<{ planned: boolean }>`
    select exists (select from scheduled_starts where import_id = ${importId} and state = 'waiting'
      and starts_at = ${startsAt}::timestamptz and starts_at > now()) as planned`.execute(db.sql);
  return rows[0]?.planned ?? false;
};
