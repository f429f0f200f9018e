import type { Database } from "../../server/src/platform/db.ts";

/** A database on which something else happens right before each query of this name. */
export const beforeQuery = (db: Database, name: string, act: () => Promise<unknown>): Database => ({
  ...db,
  pool: new Proxy(db.pool, {
    get: (pool, key) => {
      if (key !== "query") return Reflect.get(pool, key) as unknown;
      return async (...asked: Parameters<typeof pool.query>) => {
        if ((asked[0] as { name?: string }).name === name) await act();
        return pool.query(...asked);
      };
    },
  }),
});
