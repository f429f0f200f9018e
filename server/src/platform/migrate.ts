import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPrimary } from "./database-hosts.ts";
import { requireOwnSessions } from "./own-sessions.ts";
import { grantRuntimeRole } from "./runtime-role.ts";

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

/** Asks again and again: a session that waits in one statement would hold up an index that is built concurrently. */
const takeLock = async (client: pg.ClientBase) => {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      lockKey,
    ]);
    if (rows[0]?.taken) return;
    await sleep(100);
  }
};

/** How a migration waits for statements that use its tables. */
export interface LockPatience {
  /** Whatever comes later queues behind a migration that waits: shorter than the time-out of the API's statements. */
  readonly lockMs: number;
  /** After the first try, for those that queued; it doubles with each try, up to the longest. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  readonly tries: number;
}

/** About ten minutes. */
const defaultPatience: LockPatience = { lockMs: 1_000, pauseMs: 500, longestPauseMs: 5_000, tries: 100 };

/** A session that holds what a migration needs. Its statement may contain data of customers and is never read. */
export interface Blocker {
  readonly pid: number;
  /** The name that the program gave itself. */
  readonly name: string;
  /** As PostgreSQL calls it: active, idle in transaction, … Null: this user may not see it. */
  readonly state: string | null;
  readonly transactionSeconds: number | null;
  readonly statementSeconds: number | null;
}

export interface BlockedTry {
  readonly migration: string;
  readonly attempt: number;
  readonly blockers: readonly Blocker[];
  /** Until the next try. */
  readonly pauseMs: number;
}

/** For the operator: which session, and for how long. */
export const describeBlockers = (blockers: readonly Blocker[]): string =>
  blockers.length === 0
    ? "sessions that have ended since"
    : blockers
        .map(({ pid, name, state, transactionSeconds, statementSeconds }) => {
          const facts = [
            name,
            state,
            transactionSeconds === null ? null : `transaction open for ${transactionSeconds} s`,
            statementSeconds === null ? null : `last statement ${statementSeconds} s ago`,
          ];
          return `pid ${pid} (${facts.filter((fact) => fact !== null).join(", ")})`;
        })
        .join(", ");

/** Looks, over a connection of its own, which sessions block this one. It only informs: its own failure stops nothing. */
const startLookout = async (connectionString: string, pid: number, everyMs: number) => {
  const client = new pg.Client({ connectionString, application_name: "portage migrate, lookout" });
  client.on("error", () => {});
  await client.connect();
  const ended = new AbortController();
  let blockers: readonly Blocker[] = [];
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const { rows } = await client.query<Blocker>(
        `select pid, coalesce(nullif(application_name, ''), backend_type, 'unknown') as name, state,
           floor(extract(epoch from clock_timestamp() - xact_start))::int as "transactionSeconds",
           floor(extract(epoch from clock_timestamp() - query_start))::int as "statementSeconds"
         from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by xact_start nulls last`,
        [pid],
      );
      if (rows.length > 0) blockers = rows;
      await sleep(everyMs, undefined, { signal: ended.signal });
    }
  };
  const watching = watch().catch(() => {});
  return {
    /** Those that were seen last. */
    seen: (): readonly Blocker[] => blockers,
    end: async () => {
      ended.abort();
      await watching;
      await client.end();
    },
  };
};

/** The lock timeout, and a deadlock with a transaction that took the same tables in another order. */
const wasInTheWay = new Set<unknown>(["55P03", "40P01"]);

/** The line of a migration that builds indexes beside writers: each statement is a transaction of its own, and may be repeated. */
const besideWriters = /^-- Concurrently: \S/m;

/** An index that a try left unfinished has the name, but serves nothing. */
const dropUnfinished = async (client: pg.ClientBase, statement: string) => {
  const [, name] =
    /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i.exec(statement) ?? [];
  if (name === undefined) return;
  const { rows } = await client.query(
    "select from pg_index where indexrelid = to_regclass($1) and not indisvalid",
    [name],
  );
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
};

/** Waits for transactions that are older than it, but nothing waits for it: no lock timeout is needed. */
const applyBesideWriters = async (client: pg.ClientBase, { version, name, sql, checksum }: Migration) => {
  const statements = sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  for (const statement of statements) {
    await dropUnfinished(client, statement);
    await client.query(statement);
  }
  await client.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
    version,
    name,
    checksum,
  ]);
};

/** Applies one migration. It never waits long for a lock: every statement that comes after it would wait as well. */
const apply = async (
  client: pg.ClientBase,
  { version, name, sql, checksum }: Migration,
  { lockMs, pauseMs: firstPauseMs, longestPauseMs, tries }: LockPatience,
  seenBlockers: () => readonly Blocker[],
  onBlocked: (blocked: BlockedTry) => void,
): Promise<void> => {
  if (besideWriters.test(sql)) return applyBesideWriters(client, { version, name, sql, checksum });
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
      if (!wasInTheWay.has((error as { code?: unknown }).code)) throw error;
      const blockers = seenBlockers();
      if (attempt >= tries)
        throw new MigrationError(
          "database_busy",
          `${name} could not lock its tables in ${tries} tries. In its way: ${describeBlockers(blockers)}. ` +
            "End that session or wait for it, then run this again: what is applied stays applied.",
        );
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
      onBlocked({ migration: name, attempt, blockers, pauseMs });
      await sleep(pauseMs);
    }
  }
};

export interface MigrateOptions {
  readonly patience?: LockPatience;
  /** Accepts a schema that a newer release has migrated: for the way back to an older one. */
  readonly allowNewer?: boolean;
  /** The role that API and workers connect as, if it is another one: it gets the rights that they need. */
  readonly runtimeRole?: string | undefined;
  readonly onBlocked?: (blocked: BlockedTry) => void;
}

const applyAll = async (
  client: pg.ClientBase,
  connectionString: string,
  missing: readonly Migration[],
  { patience, onBlocked }: Required<Pick<MigrateOptions, "patience" | "onBlocked">>,
): Promise<void> => {
  if (missing.length === 0) return;
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const lookout = await startLookout(connectionString, rows[0]?.pid ?? 0, patience.lockMs / 4);
  try {
    for (const migration of missing) await apply(client, migration, patience, lookout.seen, onBlocked);
  } finally {
    await lookout.end();
  }
};

/** Migrates a database. Safe when several processes start concurrently: they queue on an advisory lock. */
export const migrate = async (
  url: string,
  migrations: readonly Migration[],
  { patience = defaultPatience, allowNewer = false, runtimeRole, onBlocked = () => {} }: MigrateOptions = {},
): Promise<{ readonly applied: string[]; readonly version: number }> => {
  await requireOwnSessions(url);
  const connectionString = await findPrimary(url);
  const client = new pg.Client({ connectionString, application_name: "portage migrate" });
  await client.connect();
  try {
    // The role may have a limit, which the service needs behind a pooler; a large index takes longer.
    await client.query("set statement_timeout = 0");
    await takeLock(client);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    const done = await recorded(client);
    const newest = done.at(-1)?.version ?? 0;
    if (newest > migrations.length && !allowNewer)
      throw new MigrationError(
        "database_newer",
        `The database is at version ${newest}, this release supports ${migrations.length}: run a newer release. ` +
          "To go back to this release, run: portage migrate --allow-newer",
      );
    for (const { version, checksum } of done.slice(0, migrations.length)) {
      const known = migrations[version - 1];
      if (known?.checksum !== checksum)
        throw new MigrationError(
          "migration_changed",
          `${known?.name} was changed after it ran: add a new migration instead.`,
        );
    }
    const missing = migrations.slice(newest);
    await applyAll(client, connectionString, missing, { patience, onBlocked });
    if (runtimeRole !== undefined) await grantRuntimeRole(client, runtimeRole);
    return { applied: missing.map(({ name }) => name), version: Math.max(newest, migrations.length) };
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
