import type pg from "pg";
import type { Database } from "./db.ts";

export interface Election {
  /** Whether this process is the elected one; if none is, it becomes it. */
  isElected(): Promise<boolean>;
  resign(): void;
}

/**
 * Elects one of many processes by an advisory lock, which the elected one holds on a connection of its own until it resigns,
 * that connection ends, or it has not asked for `silentMs`: of a host that is cut off, PostgreSQL would learn after hours.
 */
export const createElection = (
  db: Database,
  { name, silentMs }: { readonly name: string; readonly silentMs: number },
): Election => {
  let held: pg.PoolClient | null = null;
  const resign = () => {
    // The lock belongs to the connection: closing that releases it, even if it answers no further query.
    held?.release(true);
    held = null;
  };
  return {
    resign,
    isElected: async () => {
      if (held) {
        try {
          await held.query("select 1");
          return true;
        } catch {
          resign();
        }
      }
      const client = await db.pool.connect();
      try {
        const { rows } = await client.query<{ won: boolean }>(
          "select pg_try_advisory_lock(hashtextextended($1, 0)) as won",
          [name],
        );
        if (!rows[0]?.won) {
          client.release();
          return false;
        }
        await client.query("select set_config('idle_session_timeout', $1, false)", [`${silentMs}ms`]);
      } catch (error) {
        client.release(true);
        throw error;
      }
      held = client;
      return true;
    },
  };
};
