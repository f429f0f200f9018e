import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { templateUrl } from "../../../test/support/database.ts";
import { type BlockedTry, databaseVersion, migrate, type Migration, readMigrations } from "./migrate.ts";

const admin = async (sql: string) => {
  const client = new pg.Client({
    connectionString: (await templateUrl()).replace(/\/postgres$/, "/template1"),
  });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

let url = "";
const name = `migrate_${process.pid}`;
beforeAll(async () => {
  await admin(`create database ${name} template template0`);
  url = (await templateUrl()).replace(/\/postgres$/, `/${name}`);
});
afterAll(() => admin(`drop database ${name} with (force)`));

const step = (version: number, sql: string): Migration => ({
  version,
  name: `00000${version}_x.sql`,
  sql,
  checksum: sql,
});
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { code?: string }) => error.code,
  );

/** A transaction that uses a table, as a backup or a slow report does. */
const openReader = async (table: string) => {
  const client = new pg.Client({ connectionString: url, application_name: "a long report" });
  await client.connect();
  await client.query(`begin; select * from ${table}`);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return {
    pid: rows[0]?.pid,
    end: async () => {
      await client.query("commit");
      await client.end();
    },
  };
};

describe("a migration behind a long reader", () => {
  const base = [step(1, "create table seen (id int)")];
  const steps = [...base, step(2, "alter table seen add column late int")];
  const schema = `behind_${process.pid}`;
  let own = "";
  beforeAll(async () => {
    await admin(`create database ${schema} template template0`);
    own = url;
    url = (await templateUrl()).replace(/\/postgres$/, `/${schema}`);
    await migrate(url, base);
  });
  afterAll(async () => {
    url = own;
    await admin(`drop database ${schema} with (force)`);
  });

  test("lets others read meanwhile, and is applied when the reader ends", async () => {
    const reader = await openReader("seen");
    const others = new pg.Pool({ connectionString: url, statement_timeout: 3_000 });
    let isDone = false;
    let see: (tried: BlockedTry) => void = () => {};
    const blocked = new Promise<BlockedTry>((resolve) => {
      see = resolve;
    });
    const migrating = migrate(url, steps, {
      patience: { lockMs: 100, pauseMs: 50, longestPauseMs: 50, tries: 10_000 },
      onBlocked: (tried) => {
        if (tried.blockers.length > 0) see(tried);
      },
    }).finally(() => {
      isDone = true;
    });
    expect(await blocked).toMatchObject({
      migration: "000002_x.sql",
      blockers: [{ pid: reader.pid, name: "a long report", state: "idle in transaction" }],
    });
    // Each of these would wait for the reader if the migration waited for it.
    for (let read = 0; read < 30; read += 1) await others.query("select count(*) from seen");
    expect(isDone).toBe(false);
    await reader.end();
    expect(await migrating).toMatchObject({ applied: ["000002_x.sql"] });
    await others.end();
  });

  test("tries again after a deadlock with a transaction that took the tables in another order", async () => {
    const before = [...steps, step(3, "create table other (id int)")];
    await migrate(url, before);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // Of the two, PostgreSQL ends the one that looks first.
    await client.query("set deadlock_timeout = '10min'; begin; lock table other");
    const holder = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
    const more = [...before, step(4, "lock table seen; alter table other add column late int")];
    let tries = 0;
    const migrating = migrate(url, more, {
      patience: { lockMs: 600_000, pauseMs: 10, longestPauseMs: 10, tries: 10 },
      onBlocked: () => {
        tries += 1;
      },
    });
    const others = new pg.Pool({ connectionString: url });
    const isWaiting = async () =>
      (
        await others.query(
          "select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)) and application_name = 'portage migrate'",
          [holder],
        )
      ).rowCount === 1;
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 10));
    await client.query("select * from seen");
    await client.query("commit");
    expect(await migrating).toMatchObject({ applied: ["000004_x.sql"] });
    expect(tries).toBeGreaterThan(0);
    await client.end();
    await others.end();
  });

  test("gives up in the end and names what is open", async () => {
    const reader = await openReader("seen");
    const more = [
      ...steps,
      step(3, "create table other (id int)"),
      step(4, "lock table seen; alter table other add column late int"),
      step(5, "alter table seen drop column late"),
    ];
    const pauses: number[] = [];
    const failure = await migrate(url, more, {
      patience: { lockMs: 400, pauseMs: 10, longestPauseMs: 30, tries: 5 },
      onBlocked: ({ pauseMs }) => pauses.push(pauseMs),
    }).catch((error: unknown) => error);
    expect(pauses).toEqual([10, 20, 30, 30]);
    expect(failure).toMatchObject({
      code: "database_busy",
      message: expect.stringMatching(
        /000005_x\.sql could not lock its tables in 5 tries\. In its way: pid \d+ \(a long report, idle in transaction, transaction open for \d+ s, last statement \d+ s ago\)/,
      ) as unknown,
    });
    expect(String(failure)).not.toContain("select");
    await reader.end();
    expect(await migrate(url, more)).toMatchObject({ applied: ["000005_x.sql"] });
  });
});

describe("a migration that builds an index concurrently", () => {
  const database = `concurrently_${process.pid}`;
  const base = [step(1, "create table busy (id int); insert into busy values (1), (1)")];
  const why = "-- Concurrently: writers go on.\n";
  let at = "";
  beforeAll(async () => {
    await admin(`create database ${database} template template0`);
    at = (await templateUrl()).replace(/\/postgres$/, `/${database}`);
    await migrate(at, base);
  });
  afterAll(() => admin(`drop database ${database} with (force)`));

  const open = async () => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const isValid = async (client: pg.Client, index: string) =>
    (
      await client.query<{ valid: boolean }>(
        "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
        [index],
      )
    ).rows[0]?.valid;

  test("waits for an open writer, and other writers do not wait for it; many may migrate at once", async () => {
    const [writer, other] = [await open(), await open()];
    await writer.query("begin; insert into busy values (2)");
    const steps = [
      ...base,
      step(2, `${why}create index concurrently if not exists busy_by_id on busy (id);`),
    ];
    const migrating = Promise.all(Array.from({ length: 4 }, () => migrate(at, steps)));
    while ((await isValid(other, "busy_by_id")) === undefined) await sleep(20);
    await other.query("insert into busy values (3)");
    expect(await isValid(other, "busy_by_id")).toBe(false);
    await writer.query("commit");
    expect((await migrating).flatMap(({ applied }) => applied)).toEqual(["000002_x.sql"]);
    expect(await isValid(other, "busy_by_id")).toBe(true);
  });

  test("waits longer than the role's limit for statements allows", async () => {
    const writer = await open();
    await writer.query("begin; insert into busy values (4)");
    await admin(`alter database ${database} set statement_timeout = '3s'`);
    onTestFinished(() => admin(`alter database ${database} reset statement_timeout`));
    const steps = [
      ...base,
      step(2, `${why}create index concurrently if not exists busy_by_id on busy (id);`),
      step(3, `${why}create index concurrently if not exists busy_again on busy (id);`),
    ];
    const migrating = codeOf(migrate(at, steps));
    await sleep(4_500);
    await writer.query("rollback");
    expect(await migrating).toBe("ok");
  });

  test("that failed is built anew by the next try, not taken for done", async () => {
    const client = await open();
    const steps = [
      ...base,
      step(2, `${why}create index concurrently if not exists busy_by_id on busy (id);`),
      step(3, `${why}create index concurrently if not exists busy_again on busy (id);`),
      step(4, `${why}create unique index concurrently if not exists busy_key on busy (id);`),
    ];
    expect(await codeOf(migrate(at, steps))).toBe("23505");
    expect(await isValid(client, "busy_key")).toBe(false);
    await client.query("delete from busy");
    expect(await migrate(at, steps)).toMatchObject({ applied: ["000004_x.sql"] });
    expect(await isValid(client, "busy_key")).toBe(true);
  });
});

describe("the migrator", () => {
  test("run by eight processes concurrently applies each migration once", async () => {
    const steps = [
      step(1, "create table one (id int)"),
      step(2, "create table two (id int); select pg_sleep(0.2)"),
    ];
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(url, steps)));
    expect(results.flatMap(({ applied }) => applied)).toEqual(["000001_x.sql", "000002_x.sql"]);
  });
  test("rolls back a failed migration and reports it", async () => {
    const steps = [
      step(1, "create table one (id int)"),
      step(2, "create table two (id int); select pg_sleep(0.2)"),
      step(3, "create table three (id int); select 1/0"),
    ];
    expect(await codeOf(migrate(url, steps))).toBe("22012");
    const pool = new pg.Pool({ connectionString: url });
    expect(await databaseVersion(pool)).toBe(2);
    expect((await pool.query("select to_regclass('three') as there")).rows).toEqual([{ there: null }]);
    await pool.end();
  });
  test("refuses a database with a newer schema", async () => {
    expect(await codeOf(migrate(url, [step(1, "create table one (id int)")]))).toBe("database_newer");
  });
  test("accepts a newer schema with `allowNewer`, but never a changed one", async () => {
    const older = (sql: string) => migrate(url, [step(1, sql)], { allowNewer: true });
    expect(await older("create table one (id int)")).toEqual({ applied: [], version: 2 });
    expect(await codeOf(older("changed"))).toBe("migration_changed");
  });
  test("refuses a migration that was changed after it ran", async () => {
    expect(await codeOf(migrate(url, [step(1, "create table one (id int)"), step(2, "changed")]))).toBe(
      "migration_changed",
    );
  });
});

test("migration files must be numbered without gaps", async () => {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await writeFile(join(folder, "000001_a.sql"), "");
  await writeFile(join(folder, "000003_c.sql"), "");
  expect(await codeOf(readMigrations(folder))).toBe("bad_file_name");
  await rm(folder, { recursive: true });
});
