import { sql } from "kysely";
import type { Transaction } from "../../platform/db.ts";

/** Releases the first delivery of each lane if it is held: its predecessor has ended. */
export const releaseLanes = async (tx: Transaction, lanes: readonly string[]): Promise<void> => {
  if (lanes.length === 0) return;
  await sql`
    update webhook_deliveries d set state = 'waiting', next_attempt_at = now(), due_at = now()
    from (select distinct unnest(${[...lanes]}::text[]) as lane) l cross join lateral (
      select o.event_id from webhook_deliveries o
      where o.lane = l.lane and o.state in ('waiting', 'sending', 'held') order by o.seq limit 1
    ) first
    where d.event_id = first.event_id and d.state = 'held'`.execute(tx);
};
