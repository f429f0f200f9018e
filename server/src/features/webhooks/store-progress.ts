import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { type TargetRow, targetColumns } from "./store-take.ts";

/** A live run, or a simulated one, whose progress is to be sent now, with the target of its partner. */
export interface DueProgress extends TargetRow {
  /** Of the import, or of the simulation. */
  readonly importId: string;
}

interface Claim {
  readonly busyPartners: readonly string[];
  readonly limit: number;
}

/** The start of the last minute: a run whose progress was sent since then waits. */
const minuteAgo = sql`now() - interval '1 minute'`;

const wanting = (busyPartners: readonly string[]) =>
  sql`t.progress and t.disabled_at is null and t.failing_since is null
    and t.partner_id <> all(${[...busyPartners]}::text[])`;

/**
 * Claims runs whose progress is due: at most one for each partner, and none of a busy one. An import that has an event on its way
 * waits, so that a message about its progress never overtakes it. The update decides again, under the row's lock and by the
 * database's clock: of two workers one gets the run.
 */
export const claimProgress = async (
  db: Database,
  { busyPartners, limit }: Claim,
): Promise<readonly DueProgress[]> => {
  const { rows } = await sql<DueProgress>`
    with due as materialized (
      select r.id, row_number() over (partition by t.partner_id order by r.progress_at nulls first, r.id) as no
      from webhook_targets t
      join imports i on i.partner_id = t.partner_id and i.live_run is not null and i.closed is null
      join runs r on r.import_id = i.id and r.ended_at is null
      where ${wanting(busyPartners)} and r.state = 'running' and r.wanted = 'run'
        and not exists (select from runs o where o.import_id = r.import_id and o.progress_at > ${minuteAgo})
        and not exists (select from webhook_deliveries d
          where d.lane = i.id and d.state in ('waiting', 'sending', 'held'))
    )
    update runs r set progress_at = now()
    from imports i, webhook_targets t
    where r.id = any(array(select id from due where no = 1 limit ${limit}))
      and i.id = r.import_id and t.partner_id = i.partner_id
      and r.ended_at is null and (r.progress_at is null or r.progress_at <= ${minuteAgo})
    returning r.import_id, ${targetColumns}`.execute(db.sql);
  return rows;
};

/** The same of simulations: their runs last seconds, so each of them has one such message at most. */
export const claimSimulatedProgress = async (
  db: Database,
  { busyPartners, limit }: Claim,
): Promise<readonly DueProgress[]> => {
  const { rows } = await sql<DueProgress>`
    with due as materialized (
      select s.id, row_number() over (partition by t.partner_id order by s.id) as no
      from webhook_targets t join simulations s on s.partner_id = t.partner_id
      where ${wanting(busyPartners)} and s.run_since is not null and s.turn_at > now() and not s.waits
        and s.closed_at is null and s.progress_at is null
        and not exists (select from webhook_deliveries d
          where d.lane = s.id and d.state in ('waiting', 'sending', 'held'))
    )
    update simulations s set progress_at = now()
    from webhook_targets t
    where s.id = any(array(select id from due where no = 1 limit ${limit}))
      and t.partner_id = s.partner_id and s.progress_at is null
    returning s.id as import_id, ${targetColumns}`.execute(db.sql);
  return rows;
};
