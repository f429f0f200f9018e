import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/engine-fixture.ts";
import { givenImport } from "../../../test/support/given-import.ts";
import { spawnWorker, type WorkerProcess } from "../../../test/support/worker-process.ts";
import { lastRetentionAt } from "../features/retention/index.ts";
import { createSealer } from "../platform/seal.ts";

const key = randomBytes(32);
const sealer = createSealer([{ id: "k1", key }]);
let db: TestDatabase;
let worker: WorkerProcess | undefined;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await worker?.stop();
  await db.drop();
});

test("a worker runs retention on its own, without an external timer and without Restate", async () => {
  const importId = await givenImport(db, sealer);
  await db.pool.query("update imports set active_at = now() - interval '3651 days' where id = $1", [
    importId,
  ]);
  worker = await spawnWorker({
    env: {
      DATABASE_URL: db.url,
      PORTAGE_KEYS: `k1:${key.toString("base64")}`,
      PUBLIC_URL: "https://portage.example",
      RESTATE_INGRESS_URL: "http://127.0.0.1:1",
      RESTATE_ADMIN_URL: "http://127.0.0.1:1",
    },
  });
  await until("it is noted", async () => (await lastRetentionAt(db)) !== null, 120_000);
  expect((await db.pool.query("select closed from imports where id = $1", [importId])).rows).toEqual([
    { closed: "archived" },
  ]);
});
