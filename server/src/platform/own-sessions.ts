import pg from "pg";
import { findPrimary } from "./database-hosts.ts";

/** A pooler gives each transaction to any session: locks, prepared statements and settings of a session get mixed up. */
export class PooledSessionsError extends Error {
  readonly code = "sessions_pooled";
  constructor() {
    super(
      "A pooler shares the sessions of PostgreSQL among clients, as PgBouncer does in transaction mode; Portage needs its own",
    );
  }
}

/** A session is known by its process and its start: two clients that see the same one at the same time share it. */
const sessionOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ session: string }>(
    "select pid || ' ' || backend_start as session from pg_stat_activity where pid = pg_backend_pid()",
  );
  return rows[0]?.session ?? "";
};

/** A pooler may take its servers in turn, so that two clients meet only after some tries. */
const tries = 8;

/** Whether two clients of this address get the same session. */
export const areSessionsShared = async (url: string, connectionTimeoutMillis = 5_000): Promise<boolean> => {
  const connectionString = await findPrimary(url);
  const clients = [1, 2].map(() => new pg.Client({ connectionString, connectionTimeoutMillis }));
  for (const client of clients) client.on("error", () => {});
  try {
    for (const client of clients) await client.connect();
    const seen = clients.map(() => new Set<string>());
    for (let index = 0; index < tries; index += 1)
      for (const [at, client] of clients.entries()) {
        const session = await sessionOf(client);
        seen[at]?.add(session);
        if (seen.some((each, other) => other !== at && each.has(session))) return true;
      }
    return false;
  } finally {
    for (const client of clients) await client.end().catch(() => {});
  }
};

export const requireOwnSessions = async (url: string): Promise<void> => {
  if (await areSessionsShared(url)) throw new PooledSessionsError();
};
