import type { Database } from "./db.ts";

/**
 * Runs the work under an advisory lock that has a connection of its own. Undefined: another process holds the lock. A
 * process that dies releases it with its connection.
 */
export const underSessionLock = async <R>(
  db: Database,
  name: string,
  work: () => Promise<R>,
): Promise<R | undefined> => {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as held",
      [name],
    );
    return rows[0]?.held ? await work() : undefined;
  } finally {
    // The lock belongs to the connection: closing that releases it, even if it answers no further query.
    client.release(true);
  }
};
