import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkDatabase } from "../../../server/src/main/doctor/database.ts";
import { openDatabase } from "../../../server/src/platform/db.ts";
import { migrate, readMigrations } from "../../../server/src/platform/migrate.ts";
import { areSessionsShared } from "../../../server/src/platform/own-sessions.ts";
import { underSessionLock } from "../../../server/src/platform/session-lock.ts";
import { startMigratedPostgres } from "../../support/migrated-postgres.ts";
import type { PostgresServer } from "../../support/postgres.ts";
import { startStandby } from "../../support/standby.ts";
import { documentedSettings, startPgbouncer } from "./pgbouncer.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startMigratedPostgres();
});
afterAll(() => server.remove());

const documented = documentedSettings();

const start = async (settings: Readonly<Record<string, string>>) => {
  const pooler = await startPgbouncer(server.url, settings);
  onTestFinished(() => pooler.stop());
  return pooler.url;
};
const problems = async (url: string) =>
  (await checkDatabase({ DATABASE_URL: url })).filter(({ state }) => state === "problem");

test("PgBouncer as it comes refuses our settings, and the doctor says what to set", async () => {
  const [found, ...more] = await problems(await start({ pool_mode: "session" }));
  expect(more).toEqual([]);
  expect(found?.message).toContain("unsupported startup parameter");
  expect(found?.fix).toContain("pool_mode = session");
});

test.each(["0", "1"])(
  "transaction mode is refused by the doctor and the migrator (servers in turn: %s)",
  async (inTurn) => {
    const url = await start({ ...documented, pool_mode: "transaction", server_round_robin: inTurn });
    expect(await areSessionsShared(url)).toBe(true);
    const [found] = await problems(url);
    expect(found?.message).toContain("transaction mode");
    expect(found?.fix).toContain("pool_mode = session");
    await expect(migrate(url, await readMigrations())).rejects.toMatchObject({ code: "sessions_pooled" });
  },
);

test("session mode works: locks of a session, prepared statements, migrations", async () => {
  const url = await start(documented);
  expect(await problems(url)).toEqual([]);
  expect(await migrate(url, await readMigrations())).toMatchObject({ applied: [] });
  const db = openDatabase({
    url,
    poolSize: 4,
    statementTimeoutMs: 5_000,
    acquireTimeoutMs: 5_000,
    applicationName: "portage test",
    onConnectionLost: () => {},
  });
  onTestFinished(() => db.close());
  const prepared = { name: "one", text: "select $1::int as n" };
  const asked = Array.from({ length: 40 }, (_, index) => db.pool.query({ ...prepared, values: [index] }));
  expect((await Promise.all(asked)).map(({ rows }) => (rows as { n: number }[])[0]?.n)).toEqual([
    ...asked.keys(),
  ]);
  const inside = await underSessionLock(db, "x", () => underSessionLock(db, "x", async () => "both"));
  expect(inside).toBeUndefined();
  // The lock goes with the connection, which the pooler cleans after the client has left.
  await expect.poll(() => underSessionLock(db, "x", async () => "one")).toBe("one");
});

/** Two clients that a pooler gives the one session in turn. */
const twoClients = async () => {
  const url = await start({ ...documented, pool_mode: "transaction", default_pool_size: "1" });
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url }));
  for (const client of clients) {
    await client.connect();
    onTestFinished(() => client.end());
  }
  return clients as [pg.Client, pg.Client];
};

test("what transaction mode breaks: locks of a session and prepared statements", async () => {
  const [one, other] = await twoClients();
  const lock = "select pg_try_advisory_lock(7) as held";
  expect((await one.query(lock)).rows).toEqual([{ held: true }]);
  // two elected processes, both of which believe that they are the only one
  expect((await other.query(lock)).rows).toEqual([{ held: true }]);
  const prepared = { name: "same name", text: "select 1 as n" };
  await one.query(prepared);
  await expect(other.query({ ...prepared, text: "select 2 as n" })).rejects.toThrow(/already exists/);
});

test("what transaction mode keeps: transactions, and the locks that end with them", async () => {
  const [one, other] = await twoClients();
  await one.query("begin");
  await one.query("select pg_advisory_xact_lock(8)");
  await one.query("commit");
  const { rows } = await other.query("select pg_try_advisory_xact_lock(8) as free");
  expect(rows).toEqual([{ free: true }]);
});

test("the doctor warns of statements without a time limit, until the role has one", async () => {
  const warnings = async () =>
    (await checkDatabase({ DATABASE_URL: await start(documented) })).filter(
      ({ part }) => part === "statement timeout",
    );
  expect(await warnings()).toMatchObject([{ state: "warning" }]);
  await server.ask("alter role portage set statement_timeout = '60s'");
  onTestFinished(async () => void (await server.ask("alter role portage reset statement_timeout")));
  expect(await warnings()).toEqual([]);
});

test("without a pooler there is nothing to refuse, and the doctor tells what a failover loses", async () => {
  expect(await areSessionsShared(server.url)).toBe(false);
  const standby = await startStandby(server);
  onTestFinished(() => standby.remove());
  const durability = async (url: string) =>
    (await checkDatabase({ DATABASE_URL: url })).find(({ part }) => part === "durability");
  expect(await durability(server.url)).toMatchObject({ state: "warning" });
  const [refused] = await problems(standby.url);
  expect(refused?.message).toContain("standby");
});
