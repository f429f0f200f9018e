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
