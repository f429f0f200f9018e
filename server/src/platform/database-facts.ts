import type pg from "pg";

export interface DatabaseFacts {
  /** As in `server_version_num`: 150006 is 15.6. */
  readonly versionNumber: number;
  /** How far its clock is ahead of ours, with an error of half the round trip. */
  readonly clockAheadMs: number;
}

/** Reads the version and the clock of PostgreSQL. */
export const readDatabaseFacts = async (pool: pg.Pool): Promise<DatabaseFacts> => {
  const version = await pool.query<{ number: number }>(
    "select current_setting('server_version_num')::int as number",
  );
  const askedAt = Date.now();
  const clock = await pool.query<{ now: Date }>("select clock_timestamp() as now");
  const middle = (askedAt + Date.now()) / 2;
  return {
    versionNumber: version.rows[0]?.number ?? 0,
    clockAheadMs: Math.round((clock.rows[0]?.now.getTime() ?? 0) - middle),
  };
};
