import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { templateUrl } from "../../../test/support/database.ts";
import { databaseVersion, migrate, type Migration, readMigrations } from "./migrate.ts";

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
  return {
    end: async () => {
      await client.query("commit");
      await client.end();
    },
  };
};

describe("a migration behind a long reader", () => {
  const ground = [step(1, "create table seen (id int)")];
  const steps = [...ground, step(2, "alter table seen add column late int")];
  const schema = `behind_${process.pid}`;
  let own = "";
  beforeAll(async () => {
    await admin(`create database ${schema} template template0`);
    own = url;
    url = (await templateUrl()).replace(/\/postgres$/, `/${schema}`);
    await migrate(url, ground);
  });
  afterAll(async () => {
    url = own;
    await admin(`drop database ${schema} with (force)`);
  });

  test("lets others read meanwhile, and is applied when the reader ends", async () => {
    const reader = await openReader("seen");
    const others = new pg.Pool({ connectionString: url, statement_timeout: 3_000 });
    let isDone = false;
    const migrating = migrate(url, steps, { lockMs: 100, pauseMs: 50, tries: 10_000 }).finally(() => {
      isDone = true;
    });
    // Each of these would wait for the reader if the migration waited for it.
    for (let read = 0; read < 30; read += 1) await others.query("select count(*) from seen");
    expect(isDone).toBe(false);
    await reader.end();
    expect(await migrating).toEqual({ applied: ["000002_x.sql"] });
    await others.end();
  });

  test("gives up in the end and names what is open", async () => {
    const reader = await openReader("seen");
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const more = [...steps, step(3, "alter table seen drop column late")];
    const failure = await migrate(url, more, { lockMs: 50, pauseMs: 10, tries: 3 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: "database_busy",
      message: expect.stringMatching(/000003_x\.sql could not lock .* a long report \(pid \d+/) as unknown,
    });
    await reader.end();
    expect(await migrate(url, more)).toEqual({ applied: ["000003_x.sql"] });
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
