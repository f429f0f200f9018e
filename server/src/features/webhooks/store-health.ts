import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { TargetRow } from "./store-take.ts";

/** What an attempt says about its target. `gone` outweighs `reached`, and that `missed`. */
export interface TargetHealth {
  readonly partnerId: string;
  /** Of the target as the attempt found it. */
  readonly epoch: TargetRow["healthEpoch"];
  readonly verdict: "gone" | "reached" | "missed";
}

/**
 * Records since when targets fail; returns the partners whose target this disabled. What was sent before the target got another
 * address, or was enabled, says nothing about it now.
 */
export const noteHealth = async (
  db: Database,
  healths: readonly TargetHealth[],
  disableAfterMs: number,
): Promise<readonly { readonly partnerId: string; readonly because: "gone" | "no_success" }[]> => {
  if (healths.length === 0) return [];
  const { rows } = await sql<{ partnerId: string; because: "gone" | "no_success" }>`
    with said as materialized (
      select n."partnerId" as partner_id, n.epoch, bool_or(n.verdict = 'gone') as gone,
        bool_or(n.verdict = 'reached') as reached
      from json_to_recordset(${JSON.stringify(healths)}::json) as n ("partnerId" text, epoch integer, verdict text)
      group by 1, 2
    ), well as (
      update webhook_targets t set failing_since = null from said s
      where t.partner_id = s.partner_id and t.health_epoch = s.epoch
        and s.reached and not s.gone and t.failing_since is not null
    ), ill as (
      update webhook_targets t set failing_since = now() from said s
      where t.partner_id = s.partner_id and t.health_epoch = s.epoch
        and not s.reached and not s.gone and t.failing_since is null
    )
    update webhook_targets t set disabled_at = now(), notice_due_at = now(), notice_attempts = 0,
      disabled_because = case when s.gone then 'gone' else 'no_success' end
    from said s
    where t.partner_id = s.partner_id and t.health_epoch = s.epoch and t.disabled_at is null
      and (s.gone or (not s.reached and t.failing_since < now() - make_interval(secs => ${disableAfterMs / 1_000})))
    returning t.partner_id, t.disabled_because as because`.execute(db.sql);
  return rows;
};
