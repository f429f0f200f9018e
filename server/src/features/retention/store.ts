import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

/** Null: it never ran. */
export const lastRetentionAt = async (db: Database): Promise<Date | null> => {
  const row = await db.sql.selectFrom("lastRetention").select("endedAt").executeTakeFirst();
  return row?.endedAt ?? null;
};

/** Whether a day has passed since the last run, or someone asked for one since, by the database's clock: the workers' clocks may differ. */
export const isRetentionDue = async (db: Database): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select not exists (select from last_retention where ended_at > now() - interval '1 day'
      and (wanted_at is null or wanted_at < ended_at)) as due`.execute(db.sql);
  return rows[0]?.due ?? true;
};

/** Asks the workers to run it now. One that never ran is due anyway. */
export const wantRetention = async (db: Database): Promise<void> => {
  await sql`update last_retention set wanted_at = clock_timestamp()`.execute(db.sql);
};

/** What was asked for last, with its microseconds, which a Date would lose. */
export const wantedRetention = async (db: Database): Promise<string | null> => {
  const { rows } = await sql<{ wanted: string | null }>`
    select wanted_at::text as wanted from last_retention`.execute(db.sql);
  return rows[0]?.wanted ?? null;
};

/** A run that began with this wanted has ended. It does not settle what was asked for since: that counts as asked for now. */
export const noteRetention = async (db: Database, wanted: string | null): Promise<void> => {
  await sql`
    insert into last_retention (ended_at) values (now())
    on conflict (single) do update set ended_at = excluded.ended_at,
      wanted_at = case when last_retention.wanted_at is distinct from ${wanted}::timestamptz then clock_timestamp()
        else last_retention.wanted_at end`.execute(db.sql);
};
