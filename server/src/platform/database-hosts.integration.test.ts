import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startMigratedPostgres } from "../../../test/support/migrated-postgres.ts";
import type { PostgresServer } from "../../../test/support/postgres.ts";
import { type Standby, startStandby } from "../../../test/support/standby.ts";
import { findPrimary, StandbyError } from "./database-hosts.ts";
import { isDatabaseUnavailable, openDatabase } from "./db.ts";
import { databaseVersion, migrate, readMigrations } from "./migrate.ts";

let primary: PostgresServer;
let standby: Standby;
beforeAll(async () => {
  primary = await startMigratedPostgres();
  standby = await startStandby(primary);
});
afterAll(() => {
  primary.remove();
  standby.remove();
});

const portOf = (server: PostgresServer) => new URL(server.url).port;
const both = (...servers: PostgresServer[]) =>
  `postgres://portage@${servers.map((each) => `127.0.0.1:${portOf(each)}`).join(",")}/postgres?target_session_attrs=read-write`;
const open = (url: string) => {
  const db = openDatabase({
    url,
    poolSize: 4,
    statementTimeoutMs: 5_000,
    acquireTimeoutMs: 10_000,
    applicationName: "portage test",
    onConnectionLost: () => {},
  });
  onTestFinished(() => db.close());
  return db;
};
const ask = async (db: ReturnType<typeof open>) => {
  const { rows } = await db.pool.query<{ port: string }>("select current_setting('port') as port");
  return rows[0]?.port;
};
const errorOf = (db: ReturnType<typeof open>) =>
  db.pool.query("select 1").then(
    () => undefined,
    (error: unknown) => error,
  );

test("a standby is no database to work with, and counts as unavailable", async () => {
  for (const url of [standby.url, both(standby, standby)]) {
    const error = await errorOf(open(url));
    expect(error).toBeInstanceOf(StandbyError);
    expect(isDatabaseUnavailable(error)).toBe(true);
  }
});

test("of several hosts the primary is used, also by the migrator", async () => {
  const db = open(both(standby, primary));
  expect(await ask(db)).toBe(portOf(primary));
  const migrations = await readMigrations();
  expect(await migrate(both(standby, primary), migrations)).toMatchObject({ applied: [] });
  expect(await databaseVersion(db.pool)).toBe(migrations.length);
});

test("hosts that don't answer are skipped; if none does, the error says why", async () => {
  const gone = { url: "postgres://x@127.0.0.1:1/x" } as PostgresServer;
  expect(await ask(open(both(gone, primary)))).toBe(portOf(primary));
  expect(await errorOf(open(both(gone, gone)))).toMatchObject({ code: "ECONNREFUSED" });
});

test("after a failover the same pool finds the new primary", async () => {
  const db = open(both(primary, standby));
  expect(await Promise.all([ask(db), ask(db)])).toEqual([portOf(primary), portOf(primary)]);
  await primary.kill();
  expect(isDatabaseUnavailable(await errorOf(db))).toBe(true);
  await standby.promote();
  let found: string | undefined;
  while (found === undefined) {
    found = await ask(db).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
      return undefined;
    });
    await sleep(50);
  }
  expect(found).toBe(portOf(standby));
  expect(await findPrimary(both(primary, standby))).toContain(portOf(standby));
});
