import type { Database } from "../../platform/db.ts";

/** Null: it never ran. */
export const lastRetentionAt = async (db: Database): Promise<Date | null> => {
  const row = await db.sql.selectFrom("lastRetention").select("endedAt").executeTakeFirst();
  return row?.endedAt ?? null;
};

/** Whether a day has passed since the last run, by the database's clock: the workers' clocks may differ. */
export const isRetentionDue = async (db: Database): Promise<boolean> => {
  const { rows } = await db.pool.query<{ due: boolean }>(
    "select not exists (select from last_retention where ended_at > now() - interval '1 day') as due",
  );
  return rows[0]?.due ?? true;
};

export const noteRetention = async (db: Database): Promise<void> => {
  await db.pool.query(
    `insert into last_retention (ended_at) values (now())
     on conflict (single) do update set ended_at = excluded.ended_at`,
  );
};

/** Undefined: another process holds the lock. A process that dies releases it with its connection. */
export const underRetentionLock = async <R>(db: Database, work: () => Promise<R>): Promise<R | undefined> => {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('portage retention', 0)) as held",
    );
    return rows[0]?.held ? await work() : undefined;
  } finally {
    // The lock belongs to the connection: closing that releases it, even if it answers no further query.
    client.release(true);
  }
};
