import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/engine-fixture.ts";
import { givenImport } from "../../../test/support/given-import.ts";
import { type MailServer, startMailServer } from "../../../test/support/mail-server.ts";
import { spawnWorker, type WorkerProcess } from "../../../test/support/worker-process.ts";
import { saveAddress } from "../features/mail/index.ts";
import { orderMail } from "../features/mail-outbox/index.ts";
import { linkTokenField } from "../features/imports/store-rows.ts";
import { createSealer } from "../platform/seal.ts";
import { Secret } from "../platform/secret.ts";

const key = randomBytes(32);
const sealer = createSealer([{ id: "k1", key }]);
let db: TestDatabase;
let server: MailServer;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  [db, server] = await Promise.all([createTestDatabase(), startMailServer()]);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await server.close();
  await db.drop();
});

const startWorker = async () => {
  const worker = await spawnWorker({
    env: {
      DATABASE_URL: db.url,
      PORTAGE_KEYS: `k1:${key.toString("base64")}`,
      PUBLIC_URL: "https://portage.example",
      MAIL_FROM: "moves@portage.example",
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      // Nothing listens there: mails do not wait for Restate.
      RESTATE_INGRESS_URL: "http://127.0.0.1:1",
      RESTATE_ADMIN_URL: "http://127.0.0.1:1",
    },
  });
  workers.push(worker);
  return worker;
};

test("a worker killed after sending a mail but before recording it: sent again with the same Message-ID", async () => {
  const importId = await givenImport(db, sealer);
  await db.pool.query("update imports set link_token = $2 where id = $1", [
    importId,
    await linkTokenOf(importId),
  ]);
  await saveAddress(db, sealer, { importId, email: "alice@example.com", language: "en" });
  await db.sql
    .transaction()
    .execute((tx) =>
      orderMail(tx, { importId, occasion: "sample_ready", about: "", side: null, change: null }),
    );
  const first = await startWorker();
  server.beforeYes(async () => {
    first.kill("SIGKILL");
    await until("it is dead", async () => !first.isRunning());
  });
  await until("the mail is there", async () => server.received.length === 1, 120_000);
  await until("it is dead", async () => !first.isRunning());
  server.beforeYes(async () => {});
  const stateOf = async () =>
    (await db.pool.query<{ state: string }>("select state from mails")).rows[0]?.state;
  expect(await stateOf()).toBe("waiting");
  await startWorker();
  await startWorker();
  // Instead of waiting until the attempt times out.
  await db.pool.query("update mails set next_attempt_at = now()");
  await until("it is noted", async () => (await stateOf()) === "sent", 120_000);
  expect(server.received).toHaveLength(2);
  const [one, two] = server.received.map(({ mail }) => mail);
  expect(one?.messageId).toMatch(/^<eml_[0-9a-z]{26}@portage\.example>$/);
  expect(two?.messageId).toBe(one?.messageId);
}, 900_000);

const linkTokenOf = async (importId: string) => {
  const { rows } = await db.pool.query<{ data_key: Buffer }>("select data_key from imports where id = $1", [
    importId,
  ]);
  const dataKey = rows[0]?.data_key as Buffer;
  return sealer.seal(importId, dataKey, linkTokenField, new Secret("0".repeat(32)));
};
