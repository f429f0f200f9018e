import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { patienceMs } from "../../../test/support/patience.ts";
import { type Database, openDatabase } from "./db.ts";
import { createElection } from "./election.ts";

let db: TestDatabase;
const processes: Database[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  for (const each of processes) await each.close();
  await db.drop();
});

const candidate = (name: string, silentMs = 600_000) => {
  const own = openDatabase({ ...db.options, url: db.url, poolSize: 2 });
  processes.push(own);
  return createElection(own, { name, silentMs });
};

test("one of several processes is elected, stays it, and another follows when it resigns or loses its connection", async () => {
  const [first, second, third] = [candidate("test"), candidate("test"), candidate("test")];
  expect(await first.isElected()).toBe(true);
  expect(await second.isElected()).toBe(false);
  expect(await first.isElected()).toBe(true);
  first.resign();
  await expect.poll(() => second.isElected()).toBe(true);
  expect(await first.isElected()).toBe(false);
  await db.pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
  );
  await expect.poll(() => third.isElected()).toBe(true);
  expect(await second.isElected()).toBe(false);
  third.resign();
});

test("another process follows one that is silent, though its connection is open", async () => {
  const [silent, other] = [candidate("silence", 50), candidate("silence")];
  expect(await silent.isElected()).toBe(true);
  await expect.poll(() => other.isElected(), { timeout: patienceMs }).toBe(true);
  expect(await silent.isElected()).toBe(false);
  other.resign();
});
