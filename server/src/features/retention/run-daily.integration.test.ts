import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { until } from "../../../../test/support/engine-fixture.ts";
import { testSealer } from "../../../../test/support/fixtures.ts";
import { givenImport } from "../../../../test/support/given-import.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { runDailyRetention } from "./run-daily.ts";
import { runRetention } from "./run-retention.ts";
import { isRetentionDue, lastRetentionAt, noteRetention, wantRetention, wantedRetention } from "./store.ts";

let db: TestDatabase;
const sealer = testSealer();
const workers: Database[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  for (let n = 0; n < 4; n += 1)
    workers.push(
      openDatabase({
        url: db.url,
        poolSize: 3,
        statementTimeoutMs: 30_000,
        acquireTimeoutMs: 10_000,
        applicationName: "test",
        onConnectionLost: () => {},
      }),
    );
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await db.drop();
});

const aDayLater = () => db.pool.query("update last_retention set ended_at = ended_at - interval '25 hours'");
const allAtOnce = async (run: typeof runRetention) =>
  (await Promise.all(workers.map((worker) => runDailyRetention(worker, run)))).filter(
    (done) => done !== undefined,
  );

test("one of many workers runs it, once a day, and it archives idle imports", async () => {
  const importId = await givenImport(db, sealer);
  await db.pool.query("update imports set active_at = now() - interval '3651 days' where id = $1", [
    importId,
  ]);
  expect(await lastRetentionAt(db)).toBeNull();
  expect(await isRetentionDue(db)).toBe(true);
  let atWork = 0;
  let most = 0;
  const counting: typeof runRetention = async (own) => {
    atWork += 1;
    most = Math.max(most, atWork);
    const done = await runRetention(own);
    atWork -= 1;
    return done;
  };
  expect(await allAtOnce(counting)).toMatchObject([{ archivedImports: 1 }]);
  expect((await db.pool.query("select closed from imports where id = $1", [importId])).rows).toEqual([
    { closed: "archived" },
  ]);
  expect(await lastRetentionAt(db)).not.toBeNull();
  expect(await allAtOnce(counting)).toEqual([]);
  await aDayLater();
  expect(await allAtOnce(counting)).toMatchObject([{ archivedImports: 0 }]);
  expect(most).toBe(1);
});

test("a running retention excludes others; a failed one is due again and releases its lock", async () => {
  await aDayLater();
  const broken = new Error("the disk is full");
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<never>();
  const [first, second] = workers;
  if (!first || !second) throw new Error("no workers");
  const failing = runDailyRetention(first, () => {
    began.resolve();
    return end.promise;
  });
  await began.promise;
  expect(await runDailyRetention(second)).toBeUndefined();
  end.reject(broken);
  await expect(failing).rejects.toBe(broken);
  expect(await runDailyRetention(second)).toMatchObject({ archivedImports: 0 });
});

test("one that someone asked for runs at once, and once", async () => {
  await noteRetention(db, await wantedRetention(db));
  expect(await isRetentionDue(db)).toBe(false);
  await wantRetention(db);
  expect(await isRetentionDue(db)).toBe(true);
  expect(await allAtOnce(runRetention)).toHaveLength(1);
  expect(await isRetentionDue(db)).toBe(false);
});

test("one that someone asks for while it runs is not settled by that run", async () => {
  await aDayLater();
  const asked: typeof runRetention = async (own) => {
    const held = await db.pool.connect();
    // The last table that it reads: the request arrives when all before it is done.
    await held.query("begin; lock table erasures in access exclusive mode");
    const running = runRetention(own);
    try {
      await until("it waits", async () => {
        const { rows } = await db.pool.query(
          `select from pg_locks where not granted and relation = 'erasures'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length > 0;
      });
      await wantRetention(db);
    } finally {
      await held.query("commit");
      held.release();
    }
    return running;
  };
  expect(await allAtOnce(asked)).toHaveLength(1);
  expect(await isRetentionDue(db)).toBe(true);
  expect(await allAtOnce(runRetention)).toHaveLength(1);
  expect(await isRetentionDue(db)).toBe(false);
});
