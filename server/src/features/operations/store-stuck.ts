import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { refusalsNeedYou } from "../imports/index.ts";
import { longestFirst, type Stuck, type StuckCause, stuckCauses } from "./stuck.ts";

const longerThanUsual = (cause: StuckCause) => sql`now() - ${stuckCauses[cause].after}::interval`;

/** A stuck installation has them all; an operator reads the first pages. */
const maxFound = 10_000;

/** The stuck imports among `importIds`, or of all: each with its longest cause. Reads only live runs and waiting work. */
export const findStuck = async (
  db: Database,
  importIds: readonly string[] | null = null,
): Promise<ReadonlyMap<string, Stuck>> => {
  const among = (column: "o.import_id" | "r.import_id" | "i.id") =>
    importIds === null ? sql`true` : sql`${sql.raw(column)} = any(${importIds}::text[])`;
  const working = sql`
    runs r join partitions p on p.run_id = r.id and p.state = 'running'
    where r.ended_at is null and r.state = 'running' and r.wanted <> 'pause' and ${among("r.import_id")}`;
  const { rows } = await sql<Stuck>`
    select * from (
      select o.import_id, 'not_dispatched' as cause, o.created_at as since, o.effect ->> 'kind' as about
      from outbox o
      where o.dispatched_at is null and o.effect ->> 'kind' <> 'notify' and o.effect ->> 'kind' <> 'refund'
        and o.created_at < ${longerThanUsual("not_dispatched")} and ${among("o.import_id")}
      union all
      select i.id, 'no_run', i.active_at, i.live_run from imports i
      where i.live_run is not null and i.active_at < ${longerThanUsual("no_run")} and ${among("i.id")}
        and not exists (select from runs r where r.import_id = i.id and r.ended_at is null)
        and not exists (select from outbox o where o.import_id = i.id
          and o.dispatched_at is null and o.effect ->> 'kind' <> 'notify')
      union all
      select r.import_id, 'silent', p.due_at, p.stream from ${working}
        and p.due_at < ${longerThanUsual("silent")}
      union all
      select r.import_id, 'failing', p.failing_since, p.stream from ${working}
        and p.failing_since < ${longerThanUsual("failing")}
      union all
      select r.import_id, 'no_progress', coalesce(p.mark_at, p.started_at), p.stream from ${working}
        and p.task = 'copy' and p.failing_since is null and p.due_at < now() + interval '5 minutes'
        and coalesce(p.mark_at, p.started_at) < ${longerThanUsual("no_progress")}
      union all
      select r.import_id, 'sign_in_needed', r.waiting_since, r.waiting_for from runs r
      where r.ended_at is null and r.state = 'waiting' and r.waiting_since < ${longerThanUsual("sign_in_needed")}
        and ${among("r.import_id")}
      union all
      select r.import_id, 'refused', paused.at, r.refusals ->> 'stream' from runs r
      cross join lateral (select max(a.at) as at from audit a
        where a.import_id = r.import_id and a.event ->> 'reason' = ${refusalsNeedYou}) paused
      where r.ended_at is null and r.wanted = 'pause' and r.refusals is not null
        and paused.at < ${longerThanUsual("refused")} and ${among("r.import_id")}
      union all
      select i.id, 'no_decision', i.active_at, null from imports i
      where i.closed is null and i.asked and i.sponsorship = 'undecided' and i.status = 'sample_completed'
        and i.active_at < ${longerThanUsual("no_decision")} and ${among("i.id")}
    ) found limit ${maxFound}`.execute(db.sql);
  return longestFirst(rows);
};
