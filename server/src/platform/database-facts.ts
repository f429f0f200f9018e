import type pg from "pg";

export interface DatabaseFacts {
  /** As in `server_version_num`: 150006 is 15.6. */
  readonly versionNumber: number;
  /** How far its clock is ahead of ours, with an error of half the round trip. */
  readonly clockAheadMs: number;
}

/** What a commit waits for. */
export interface Durability {
  /** As in PostgreSQL's setting: with `off`, not even for the primary's own disk. */
  readonly synchronousCommit: string;
  /** Whether some standby has the commit before it is confirmed. */
  readonly waitsForStandby: boolean;
  readonly standbys: number;
}

export const readDurability = async (pool: pg.Pool): Promise<Durability> => {
  const { rows } = await pool.query<Durability>(
    `select current_setting('synchronous_commit') as "synchronousCommit",
       current_setting('synchronous_standby_names') <> ''
         and current_setting('synchronous_commit') not in ('off', 'local') as "waitsForStandby",
       (select count(*)::int from pg_stat_replication) as standbys`,
  );
  return rows[0] ?? { synchronousCommit: "unknown", waitsForStandby: false, standbys: 0 };
};

/** In the format of PostgreSQL's setting; "0" is none. */
export const readStatementTimeout = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ timeout: string }>(
    "select current_setting('statement_timeout') as timeout",
  );
  return rows[0]?.timeout ?? "0";
};

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
