import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createPostgres, type PostgresServer } from "../../support/postgres.ts";
import { createBackupMachine } from "./pgbackrest.ts";

const scripts = join(import.meta.dirname, "../../../deploy/backup");
const script = (name: string, ...args: readonly string[]) =>
  promisify(execFile)("sh", [join(scripts, name), ...args], { cwd: "/" });

const numbers = async (server: PostgresServer) =>
  (await server.ask("select n from numbers order by n")).map(({ n }) => n);

test("backup.sh and restore.sh bring back what was archived, or the state of a moment", async () => {
  const machine = createBackupMachine();
  onTestFinished(() => machine.remove());
  const server = await createPostgres(machine.settings);
  onTestFinished(() => server.remove());
  await server.startAside();
  await machine.use(server);
  await server.ask("create table numbers as select 1 as n");
  expect(await machine.backUp()).toContain("full backup");
  // pgBackRest restores a moment from a backup that ended in an earlier second.
  await sleep(1_100);
  await server.ask("insert into numbers values (2)");
  const [row] = await server.ask("select clock_timestamp()::text as now");
  await sleep(1_100);
  expect(await machine.backUp()).toContain("incr backup");
  await server.ask("insert into numbers values (3)");
  await server.ask("select pg_switch_wal()");
  // fails until the archive has all of it
  await machine.backUp();
  await server.kill();
  rmSync(server.data, { recursive: true });

  const latest = await machine.restore();
  onTestFinished(() => latest.server.remove());
  expect(await numbers(latest.server)).toEqual([1, 2, 3]);
  expect(latest.said).toMatch(/accepts writes/);
  const earlier = await machine.restore(String(row?.["now"]));
  onTestFinished(() => earlier.server.remove());
  expect(await numbers(earlier.server)).toEqual([1, 2]);
  expect(earlier.said).toMatch(/Its last commit: 20/);
});

test("restore.sh reaches a moment that an earlier restore gave up, on the timeline of then", async () => {
  const machine = createBackupMachine();
  onTestFinished(() => machine.remove());
  const server = await createPostgres(machine.settings);
  onTestFinished(() => server.remove());
  await server.startAside();
  await machine.use(server);
  const insert = async (n: number) => {
    await server.ask(`insert into numbers values (${n})`);
    const [row] = await server.ask("select clock_timestamp()::text as now");
    await sleep(1_100);
    return String(row?.["now"]);
  };
  await server.ask("create table numbers as select 1 as n");
  await machine.backUp();
  await sleep(1_100);
  const tooEarly = await insert(2);
  const wanted = await insert(3);
  await insert(4);
  // fails until the archive has all of it
  await machine.backUp();
  await server.kill();

  const early = await machine.restore(tooEarly);
  onTestFinished(() => early.server.remove());
  expect(await numbers(early.server)).toEqual([1, 2]);
  await machine.use(early.server);
  await early.server.ask("insert into numbers values (5)");
  await machine.backUp();
  await early.server.kill();

  // PostgreSQL follows the newest timeline, which the early restore began.
  const newest = await machine.restore(wanted);
  onTestFinished(() => newest.server.remove());
  expect(await numbers(newest.server)).toEqual([1, 2]);
  const first = await machine.restore(wanted, 1);
  onTestFinished(() => first.server.remove());
  expect(await numbers(first.server)).toEqual([1, 2, 3]);
});

test("backup.sh fails if the archive takes no WAL", async () => {
  const machine = createBackupMachine({ archive_command: "false" });
  onTestFinished(() => machine.remove());
  const server = await createPostgres(machine.settings);
  onTestFinished(() => server.remove());
  await server.startAside();
  await machine.use(server);
  await expect(machine.backUp()).rejects.toThrow(/archive/);
});

test("restore.sh refuses a folder with something in it, a moment without a time zone, and a timeline without a number", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const moment of ["2026-11-18 03:04:05", "2026-11-18"])
    await expect(script("restore.sh", join(folder, "new"), moment)).rejects.toThrow(/time zone/);
  await expect(script("restore.sh", join(folder, "new"), "2026-11-18 03:04:05+00", "latest")).rejects.toThrow(
    /by its number/,
  );
  writeFileSync(join(folder, "PG_VERSION"), "15");
  await expect(script("restore.sh", folder)).rejects.toThrow(/is not empty/);
});

test("dump.sh and load-dump.sh copy a database, but never over another one", async () => {
  const machine = createBackupMachine({ archive_mode: "off" });
  onTestFinished(() => machine.remove());
  const server = await createPostgres();
  onTestFinished(() => server.remove());
  await server.startAside();
  await server.ask(
    "create role reader; create table numbers as select 1 as n; grant select on numbers to reader",
  );
  const file = await machine.dump(server);
  const loaded = await machine.load(file);
  onTestFinished(() => loaded.server.remove());
  expect(await numbers(loaded.server)).toEqual([1]);
  expect(await loaded.server.ask("select has_table_privilege('reader', 'numbers', 'select') as may")).toEqual(
    [{ may: true }],
  );
  await expect(script("load-dump.sh", file, server.url)).rejects.toThrow(/1 tables already/);
});

test("load-dump.sh gives the database to the role that owns the tables, which could not migrate it otherwise", async () => {
  const machine = createBackupMachine({ archive_mode: "off" });
  onTestFinished(() => machine.remove());
  const server = await createPostgres();
  onTestFinished(() => server.remove());
  await server.startAside();
  await server.ask(
    `create role "the owner" login; alter database postgres owner to "the owner";
     set role "the owner"; create table numbers as select 1 as n`,
  );
  const loaded = await machine.load(await machine.dump(server));
  onTestFinished(() => loaded.server.remove());
  await loaded.server.ask(`set role "the owner"; create table more (n int); insert into more values (2)`);
  expect(await loaded.server.ask("select n from more")).toEqual([{ n: 2 }]);
});
