import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { testSealer } from "../../../../test/support/fixtures.ts";
import { givenImport } from "../../../../test/support/given-import.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { runDailyRetention } from "./run-daily.ts";
import { runRetention } from "./run-retention.ts";
import { isRetentionDue, lastRetentionAt, noteRetention, wantRetention } from "./store.ts";

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
  await noteRetention(db);
  expect(await isRetentionDue(db)).toBe(false);
  await wantRetention(db);
  expect(await isRetentionDue(db)).toBe(true);
  expect(await allAtOnce(runRetention)).toHaveLength(1);
  expect(await isRetentionDue(db)).toBe(false);
});
