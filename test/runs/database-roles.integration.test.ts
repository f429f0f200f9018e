import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eraseImport } from "../../server/src/features/erasure/index.ts";
import { restoreEventOrderIfNeeded } from "../../server/src/features/events/index.ts";
import { createOnce } from "../../server/src/features/idempotency/index.ts";
import { createImport } from "../../server/src/features/imports/index.ts";
import { runRetention } from "../../server/src/features/retention/index.ts";
import { dropLedgerMonths, ensureLedgerMonth } from "../../server/src/features/runs/index.ts";
import { judgeRole } from "../../server/src/main/doctor/database.ts";
import { rotateKeys } from "../../server/src/main/keys/rotate-keys.ts";
import { type Database, openDatabase } from "../../server/src/platform/db.ts";
import { firstIdAt } from "../../server/src/platform/ids.ts";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { readRoleRights } from "../../server/src/platform/runtime-role.ts";
import { createCli } from "../support/cli.ts";
import { testRegistry } from "../support/fixtures.ts";
import { createPostgres, type PostgresServer } from "../support/postgres.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { startStandIn } from "../tools/stand-in/stand-in.ts";
import { createRunsFixture } from "./runs-fixture.ts";

let server: PostgresServer;
let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
/** As API and workers connect. */
let db: Database;
let owner: Database;
const urlOf = (role: string) => server.url.replace("portage@", `${role}@`).replace(/\/postgres$/, "/portage");
const options = {
  poolSize: 10,
  statementTimeoutMs: 120_000,
  acquireTimeoutMs: 10_000,
  applicationName: "portage test",
  onConnectionLost: () => {},
};

beforeAll(async () => {
  server = await createPostgres();
  await server.startAside();
  for (const text of [
    "create role acme_owner login",
    'create role "acme app" login',
    "create database portage owner acme_owner",
  ])
    await server.ask(text);
  await migrate(urlOf("acme_owner"), await readMigrations(), { runtimeRole: "acme app" });
  owner = openDatabase({ ...options, url: urlOf("acme_owner") });
  db = openDatabase({ ...options, url: urlOf("acme%20app") });
  fixture = await createRunsFixture({
    db: { ...db, url: urlOf("acme%20app"), options, drop: async () => {} },
  });
}, 600_000);
afterAll(async () => {
  await db?.close();
  await owner?.close();
  server?.remove();
});

const months = async () =>
  (
    await db.pool.query<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger'::regclass order by 1",
    )
  ).rows.map(({ name }) => name);

describe("the role that the service runs as", { timeout: 600_000 }, () => {
  test("creates imports, runs them, undoes, keeps to retention and erases", async () => {
    const source = await startStandIn({ counts: { users: 3, tickets: 60, comments: 90 }, hostile: false });
    const destination = await startStandIn({ seed: "destination", upserts: false });
    const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" }) as never;
    const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
    expect(await months()).toEqual([]);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats()).toMatchObject({ duplicates: 0 });
    expect(destination.stats().written).toBeGreaterThanOrEqual(150);
    expect(await months()).toHaveLength(1);
    await one.run({ type: "undo_started" });
    expect(await one.status()).toBe("migration_cleaned");

    const once = createOnce(db, fixture.sealer);
    const create = createImport({
      db,
      sealer: fixture.sealer,
      registry: testRegistry(),
      checkDestination: async () => ({ kind: "not_all_given" }),
    });
    const made = await once({ partnerId: fixture.partner.id, key: "k", request: "{}" }, async (keep) => {
      await db.sql.transaction().execute((tx) => keep(tx, "the answer"));
      return create(fixture.partner, { source_tool: "request-tracker" });
    });
    expect(made).toMatchObject({ kind: "done", value: { kind: "created" } });
    expect(await rotateKeys(db, fixture.sealer, () => {})).toMatchObject({ kind: "rotated", left: [] });

    await one.move({ type: "cancelled" });
    await ensureLedgerMonth(db, new Date("2020-02-29T12:00:00Z"));
    expect(await runRetention(db)).toMatchObject({ droppedLedgerMonths: 1 });
    expect(await eraseImport(db, one.importId)).toMatchObject({ kind: "erased" });
    expect(await restoreEventOrderIfNeeded(db)).toBe(0);
  });

  test("restores the order of events of another server", async () => {
    await owner.pool.query("update events set tx = (tx::text::bigint + 1000000)::text::xid8");
    expect(await restoreEventOrderIfNeeded(db)).toBeGreaterThan(0);
  });

  test.each([
    "create table public.own (id text)",
    "create schema own",
    "create function public.own() returns integer language sql return 1",
    "alter table imports add column own text",
    "create index on imports (reference)",
    "drop table imports",
    "truncate events cascade",
    "alter table events disable trigger all",
    "insert into schema_migrations (version, name, checksum) values (999, 'own', '')",
    "update schema_migrations set checksum = ''",
    "alter function create_ledger_month(date) reset all",
  ])("can't change the schema: %s", async (text) => {
    await expect(db.pool.query(text)).rejects.toMatchObject({ code: "42501" });
  });

  test("drops no month but one that is over and has neither an open import nor old links", async () => {
    const at = new Date("2021-03-15T12:00:00Z");
    await ensureLedgerMonth(db, at);
    const id = firstIdAt("imp", at.getTime());
    await owner.pool.query(
      `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
       values ($1, $2, 'redmine', 'redmine', 'helpdesk', '', '', 'collecting_credentials', 'undecided', false)`,
      [id, fixture.partner.id],
    );
    const before = new Date("2021-05-01T00:00:00Z");
    const client = await db.pool.connect();
    try {
      // What a caller puts in front of the real tables must not count.
      await client.query("create temp table imports (id text, closed timestamptz)");
      await client.query("create temp table old_links (import_id text)");
      await client.query("set search_path = pg_temp, public");
      const { rows } = await client.query("select public.drop_ledger_month('2021-03-01') as done");
      expect(rows).toEqual([{ done: false }]);
    } finally {
      await client.query("discard all");
      client.release();
    }
    expect(await dropLedgerMonths(db, before)).toEqual([]);
    for (const month of ["2021-03-02", "9999-01-01"])
      await expect(db.pool.query("select drop_ledger_month($1::date)", [month])).rejects.toMatchObject({
        code: "22023",
      });
    for (const month of ["2021-03-02", "0001-01-01"])
      await expect(db.pool.query("select create_ledger_month($1::date)", [month])).rejects.toMatchObject({
        code: "22023",
      });
    await owner.pool.query("delete from imports where id = $1", [id]);
    expect(await dropLedgerMonths(db, before)).toEqual(["ledger_2021_03"]);
  });

  test("the bounds of a month are ids as this release makes them", async () => {
    for (const at of ["1970-01-01T00:00:00.000Z", "2026-11-18T18:24:14.123Z", "9999-12-31T23:59:59.999Z"]) {
      const { rows } = await db.pool.query("select first_import_id_at($1::timestamptz) as id", [at]);
      expect(rows).toEqual([{ id: firstIdAt("imp", Date.parse(at)) }]);
    }
  });

  test("writes the tables of later migrations", async () => {
    await owner.pool.query("create table later (id bigint generated always as identity, name text)");
    await db.pool.query("insert into later (name) values ('x')");
    expect((await db.pool.query("select name from later")).rows).toEqual([{ name: "x" }]);
    await owner.pool.query("drop table later");
  });
});

describe("portage", { timeout: 600_000 }, () => {
  test("doctor says who could change the schema, and who lacks rights", async () => {
    expect(judgeRole(await readRoleRights(db.pool))).toMatchObject({
      state: "ok",
      message: "acme app can't change the schema",
    });
    expect(judgeRole(await readRoleRights(owner.pool))).toMatchObject({
      state: "warning",
      message: "acme_owner owns the tables, so it could change the schema",
    });
    await owner.pool.query('grant create on schema public to "acme app"');
    expect(judgeRole(await readRoleRights(db.pool)).message).toContain("may create tables");
    await owner.pool.query(
      'revoke create on schema public from "acme app"; revoke insert on events from "acme app"',
    );
    expect(judgeRole(await readRoleRights(db.pool))).toMatchObject({
      state: "problem",
      message: "acme app can't write 1 of the tables, such as events",
    });
  });

  test("migrate gives the rights again, to a role that is there and is not its own", async () => {
    const as = (role: string, env: Record<string, string>) =>
      createCli({ DATABASE_URL: urlOf(role), ...env }).run("migrate");
    expect(await as("acme_owner", { PORTAGE_RUNTIME_ROLE: "acme app" })).toMatchObject({ code: 0 });
    expect((await readRoleRights(db.pool)).lacks).toEqual([]);
    const missing = await as("acme_owner", { PORTAGE_RUNTIME_ROLE: "unknown_role" });
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain(
      'PostgreSQL has no role "unknown_role", which PORTAGE_RUNTIME_ROLE names',
    );
    const own = await as("acme_owner", { PORTAGE_RUNTIME_ROLE: "acme_owner" });
    expect(own.stderr).toContain("the role that migrates and owns the tables");
    await owner.pool.query(
      "delete from schema_migrations where version = (select max(version) from schema_migrations)",
    );
    const refused = await as("acme%20app", {});
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("connect as the owner of the tables");
  });
});
