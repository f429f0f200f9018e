import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPrimary } from "./database-hosts.ts";
import { demandOwnSessions } from "./own-sessions.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export class MigrationError extends Error {
  readonly code: "database_newer" | "migration_changed" | "bad_file_name" | "database_busy";
  constructor(code: MigrationError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export const migrationsFolder = join(import.meta.dirname, "../../migrations");

export const readMigrations = async (folder: string = migrationsFolder): Promise<readonly Migration[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).toSorted();
  return Promise.all(
    files.map(async (name, index) => {
      const version = Number(name.slice(0, 6));
      if (!/^\d{6}_[a-z0-9_]+\.sql$/.test(name) || version !== index + 1)
        throw new MigrationError(
          "bad_file_name",
          `${name}: expected ${String(index + 1).padStart(6, "0")}_….sql`,
        );
      const sql = await readFile(join(folder, name), "utf8");
      return { version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
};

// Any fixed number: the advisory lock of the one process that may migrate this database.
const lockKey = 7_067_824_731;

const recorded = async (client: pg.ClientBase) =>
  (
    await client.query<{ version: number; checksum: string }>(
      "select version, checksum from schema_migrations order by version",
    )
  ).rows;

/** How a migration waits for statements that use its tables. */
export interface LockPatience {
  /** Whatever comes later queues behind a migration that waits: shorter than the time-out of the API's statements. */
  readonly lockMs: number;
  /** Between two tries, for those that queued. */
  readonly pauseMs: number;
  readonly tries: number;
}

const defaultPatience: LockPatience = { lockMs: 1_000, pauseMs: 2_000, tries: 200 };

/** What holds the tables: the oldest transactions of others. */
const oldestOf = async (client: pg.ClientBase): Promise<string> => {
  const { rows } = await client.query<{ who: string }>(
    `select application_name || ' (pid ' || pid || ', since ' || date_trunc('second', now() - xact_start) || ')' as who
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
     order by xact_start limit 3`,
  );
  return rows.map(({ who }) => who).join(", ");
};

const lockNotAvailable = "55P03";

/** Applies one migration. It never waits long for a lock: every statement that comes after it would wait as well. */
const apply = async (
  client: pg.ClientBase,
  { version, name, sql, checksum }: Migration,
  { lockMs, pauseMs, tries }: LockPatience,
): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    await client.query("begin");
    try {
      await client.query(`set local lock_timeout = ${lockMs}`);
      await client.query(sql);
      await client.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
        version,
        name,
        checksum,
      ]);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback");
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
      if (attempt >= tries)
        throw new MigrationError(
          "database_busy",
          `${name} could not lock its tables in ${tries} tries. Transactions that are open: ${await oldestOf(client)}.`,
        );
      await sleep(pauseMs);
    }
  }
};

/** Migrates a database. Safe when several processes start concurrently: they queue on an advisory lock. */
export const migrate = async (
  url: string,
  migrations: readonly Migration[],
  patience: LockPatience = defaultPatience,
): Promise<{ applied: string[] }> => {
  await demandOwnSessions(url);
  const client = new pg.Client({
    connectionString: await findPrimary(url),
    application_name: "portage migrate",
  });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    const done = await recorded(client);
    const newest = done.at(-1)?.version ?? 0;
    if (newest > migrations.length)
      throw new MigrationError(
        "database_newer",
        `The database is at version ${newest}, this release supports ${migrations.length}: run a newer release.`,
      );
    for (const { version, checksum } of done) {
      const known = migrations[version - 1];
      if (known?.checksum !== checksum)
        throw new MigrationError(
          "migration_changed",
          `${known?.name} was changed after it ran: add a new migration instead.`,
        );
    }
    const applied: string[] = [];
    for (const migration of migrations.slice(newest)) {
      await apply(client, migration, patience);
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await client.end();
  }
};

/** The schema version of a database; 0 if it was never migrated. */
export const databaseVersion = async (pool: pg.Pool): Promise<number> => {
  const table = await pool.query<{ there: boolean }>(
    "select to_regclass('schema_migrations') is not null as there",
  );
  if (!table.rows[0]?.there) return 0;
  const newest = await pool.query<{ version: number | null }>(
    "select max(version) as version from schema_migrations",
  );
  return newest.rows[0]?.version ?? 0;
};
