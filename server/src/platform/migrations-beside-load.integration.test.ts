import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { templateUrl } from "../../../test/support/database.ts";
import { patienceMs } from "../../../test/support/patience.ts";
import { type BlockedTry, type LockPatience, migrate, readMigrations } from "./migrate.ts";

/** Fills the tables of the first five migrations as an installation in use has them. */
const fill = `
  insert into partners (id, name, destination_tool) select 'prt_' || lpad(n::text, 26, '0'), 'Acme', 'redmine' from generate_series(1, 20) n;
  insert into api_tokens (id, partner_id, hash, label, last_characters)
    select 'tok_' || right(id, 26), id, sha256(id::bytea), 'production', 'abcd' from partners;
  insert into request_ring select id, array[now()] from partners;
  insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
    select 'imp_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 20 + 1)::text, 26, '0'), 'request-tracker', 'redmine', 'helpdesk',
      'key', 'link', 'collecting_credentials', 'undecided', false from generate_series(1, 2000) n;
  insert into audit (import_id, seq, event, to_status, actor) select id, 1, '{}', status, 'system' from imports;
  insert into import_warnings (import_id, code, message, count) select id, 'few', 'A few.', 1 from imports limit 50;
  insert into outbox (import_id, effect) select id, '{"kind": "notify"}' from imports;
  insert into events (id, partner_id, import_id, type, status) select 'evt_' || right(id, 26), partner_id, id, 'import.created', status from imports;
  insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until) select partner_id, id, 'f', gen_random_uuid(), now() from imports;
  insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf)
    select 'run_' || right(import_id, 26), import_id, 1, 'full', id, 'ledger' from outbox;
  insert into partitions (run_id, no, import_id, step, task) select id, n, import_id, 0, 'copy' from runs, generate_series(1, 2) n;
  insert into pending_links select id, 'tickets', '1', 'f', 'tickets', '2' from imports;
  insert into sample_records (import_id, stream, source_id, why) select id, 'tickets', '1', 'chosen' from imports;`;
const filledAfter = 5;

const newDatabase = async (name: string): Promise<string> => {
  const server = await templateUrl();
  const admin = new pg.Client({ connectionString: server.replace(/\/postgres$/, "/template1") });
  await admin.connect();
  await admin.query(`create database ${name} template template0`);
  onTestFinished(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return server.replace(/\/postgres$/, `/${name}`);
};
const connect = async (connectionString: string, application: string) => {
  const client = new pg.Client({ connectionString, application_name: application });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { client, pid: rows[0]?.pid ?? 0 };
};

const quick: LockPatience = { lockMs: 50, pauseMs: 20, longestPauseMs: 100, tries: 1_000_000 };

/** The tables, each with a column that no migration takes away and that an update may set to itself. */
const writable = `select c.table_name as table, min(c.column_name) as column
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_identity = 'NO'
    and c.column_name in ('id', 'import_id', 'partner_id')
  group by 1`;

/** A database, a reader that keeps a transaction open, and a writer. */
const useLoad = async (name: string) => {
  const url = await newDatabase(name);
  const reader = await connect(url, "a long report");
  const writer = await connect(url, "a writer");
  const tables = async () => (await writer.client.query<{ table: string; column: string }>(writable)).rows;
  return {
    url,
    reader: {
      pid: reader.pid,
      begin: async () => {
        await reader.client.query("begin");
        for (const { table } of await tables()) await reader.client.query(`select 1 from ${table} limit 1`);
      },
      end: () => reader.client.query("commit"),
    },
    writer: {
      pid: writer.pid,
      /** Writes one row of every table that has any; returns how many. */
      round: async (): Promise<number> => {
        let written = 0;
        for (const { table, column } of await tables()) {
          const { rowCount } = await writer.client.query(
            `update ${table} set ${column} = ${column} where ctid = (select ctid from ${table} limit 1)`,
          );
          written += rowCount ?? 0;
        }
        return written;
      },
    },
    blockersOf: async (pid: number): Promise<readonly number[]> => {
      const { client } = await connect(url, "an observer");
      return (await client.query<{ pids: number[] }>("select pg_blocking_pids($1) as pids", [pid])).rows[0]
        ?.pids as readonly number[];
    },
  };
};

test(
  "every migration ends on a filled database, and writers go on while a long reader is in its way",
  async () => {
    const { url, reader, writer } = await useLoad(`beside_load_${process.pid}`);
    const migrations = await readMigrations();
    await migrate(url, migrations.slice(0, filledAfter));
    const { client } = await connect(url, "filler");
    await client.query(fill);
    const waited: string[] = [];
    for (const { version, name } of migrations.slice(filledAfter)) {
      await reader.begin();
      let isDone = false;
      let see: (tried: BlockedTry) => void = () => {};
      const blocked = new Promise<BlockedTry>((resolve) => {
        see = resolve;
      });
      const migrating = migrate(url, migrations.slice(0, version), { patience: quick, onBlocked: see });
      const done = migrating.then(() => {
        isDone = true;
        return null;
      });
      const tried = await Promise.race([blocked, done]);
      if (tried) {
        waited.push(name);
        // The reader stays: a writer that queued behind the migration for as long as that takes would never come back.
        expect(await writer.round()).toBeGreaterThan(10);
        expect(isDone).toBe(false);
      }
      await reader.end();
      expect(await migrating).toMatchObject({ applied: [name] });
      expect(await writer.round()).toBeGreaterThan(10);
    }
    // Otherwise this test shows nothing.
    expect(waited.length).toBeGreaterThan(5);
  },
  patienceMs,
);

test(
  "without a lock timeout the writer would wait for the reader",
  async () => {
    const { url, reader, writer, blockersOf } = await useLoad(`no_timeout_${process.pid}`);
    const migrations = await readMigrations();
    await migrate(url, migrations.slice(0, filledAfter));
    const { client } = await connect(url, "filler");
    await client.query(fill);
    await reader.begin();
    const migrating = migrate(url, migrations, { patience: { ...quick, lockMs: 0 } });
    const isMigrator = "select pid from pg_stat_activity where application_name = 'portage migrate'";
    const untilBlockedBy = async (pid: () => Promise<number>, by: () => Promise<number>) => {
      while (!(await blockersOf(await pid())).includes(await by())) await sleep(20);
    };
    const migrator = async () =>
      (await client.query<{ pid: number }>(`${isMigrator} and datname = current_database()`)).rows[0]?.pid ??
      0;
    await untilBlockedBy(migrator, async () => reader.pid);
    const writing = writer.round();
    await untilBlockedBy(async () => writer.pid, migrator);
    await reader.end();
    expect(await writing).toBeGreaterThan(10);
    await migrating;
  },
  patienceMs,
);
