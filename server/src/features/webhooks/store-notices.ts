import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { DisabledBecause } from "./target.ts";

/** A mail to a partner that its target is disabled, which this process has claimed to send now. */
export interface DisabledNotice {
  readonly partnerId: string;
  readonly partnerName: string;
  /** Null: the operator has set no address, and no mail is sent. */
  readonly contactEmail: string | null;
  readonly url: string;
  readonly disabledAt: Date;
  readonly because: DisabledBecause;
  /** The current attempt included. */
  readonly attempts: number;
}

/** Later it is no news: mail may have been set up only now. */
const staleDays = 7;

/** Takes due notices. No other process gets them until `leaseMs` have passed, even if this process dies. */
export const takeDisabledNotices = async (
  db: Database,
  limit: number,
  leaseMs: number,
): Promise<readonly DisabledNotice[]> => {
  const { rows } = await sql<DisabledNotice>`
    update webhook_targets t set notice_attempts = notice_attempts + 1,
      notice_due_at = now() + make_interval(secs => ${leaseMs / 1_000})
    from partners p
    where p.id = t.partner_id and t.partner_id = any(array(
      select partner_id from webhook_targets where notice_due_at <= now() and disabled_at is not null
        and disabled_at > now() - make_interval(days => ${staleDays})
      order by notice_due_at limit ${limit} for update skip locked))
    returning t.partner_id, p.name as partner_name, p.contact_email, t.url, t.disabled_at,
      t.disabled_because as because, t.notice_attempts as attempts`.execute(db.sql);
  return rows;
};

/** Ends a notice, or plans its next attempt; another attempt of it meanwhile makes this one void. */
export const settleDisabledNotice = async (
  db: Database,
  { partnerId, attempts }: Pick<DisabledNotice, "partnerId" | "attempts">,
  pauseMs: number | null,
): Promise<void> => {
  await db.sql
    .updateTable("webhookTargets")
    .set({
      noticeDueAt: pauseMs === null ? null : sql`now() + make_interval(secs => ${pauseMs / 1_000})`,
    })
    .where("partnerId", "=", partnerId)
    .where("noticeAttempts", "=", attempts)
    .where("noticeDueAt", "is not", null)
    .execute();
};
