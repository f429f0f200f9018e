import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiProcess, startApiProcess } from "../../../test/support/api-process.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/engine-fixture.ts";
import type { LeashedProcess } from "../../../test/support/leashed-process.ts";
import { spawnWorker } from "../../../test/support/worker-process.ts";
import { givenCheckout, givenQuote } from "../../../test/stripe/given-checkout.ts";
import { createStripeFixture, webhookSecret } from "../../../test/stripe/stripe-fixture.ts";
import { createSettle } from "../features/billing/index.ts";
import { createSealer } from "../platform/seal.ts";

const key = randomBytes(32);
const sealer = createSealer([{ id: "k1", key }]);
let db: TestDatabase;
let fixture: Awaited<ReturnType<typeof createStripeFixture>>;
const running: LeashedProcess[] = [];
beforeAll(async () => {
  [db, fixture] = await Promise.all([createTestDatabase(), createStripeFixture()]);
});
afterAll(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await fixture.close();
  await db.drop();
});

const env = () => ({
  DATABASE_URL: db.url,
  PORTAGE_KEYS: `k1:${key.toString("base64")}`,
  PUBLIC_URL: "https://portage.example",
  PAYMENTS: "stripe",
  STRIPE_API_URL: fixture.double.url,
  STRIPE_SECRET_KEY: fixture.double.secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  // Nothing listens there: payments do not wait for Restate.
  RESTATE_INGRESS_URL: "http://127.0.0.1:1",
  RESTATE_ADMIN_URL: "http://127.0.0.1:1",
  SHUTDOWN_DELAY_MS: "0",
});
const startApi = async (): Promise<ApiProcess> => {
  const api = await startApiProcess({ env: env() });
  running.push(api);
  fixture.double.notices.tell({ url: `${api.url}/inbound/stripe`, secret: webhookSecret }, "held");
  return api;
};
const startWorker = async () => {
  const worker = await spawnWorker({ env: env() });
  running.push(worker);
  return worker;
};
const stateOf = async (checkoutId: string) =>
  (
    await db.pool.query<{ state: string; status: string }>(
      "select c.state, i.status from checkouts c join imports i on i.id = c.import_id where c.id = $1",
      [checkoutId],
    )
  ).rows[0];
const checkout = async () => givenCheckout(db, fixture.stripe, await givenQuote(db, sealer));
const lastNotice = () => {
  const event = fixture.double.notices.events.findLast(({ type }) => type === "checkout.session.completed");
  if (!event) throw new Error("No checkout was paid.");
  return event;
};

test("API killed after Stripe took a payment but before recording it: a worker records it once", async () => {
  const api = await startApi();
  const paid = await checkout();
  fixture.double.pay(paid.reference);
  // The API has received the webhook and waits for the import's lock; it dies before it can write.
  const holder = await db.pool.connect();
  await holder.query("begin");
  await holder.query("select from imports where id = $1 for update", [paid.importId]);
  const delivered = fixture.double.notices.deliver(lastNotice()).catch(() => "no answer");
  await until("the API waits for the import", async () => {
    const { rows } = await db.pool.query<{ n: number }>(
      "select count(*) n from pg_stat_activity where application_name like 'portage api%' and wait_event_type = 'Lock'",
    );
    return Number(rows[0]?.n) > 0;
  });
  api.kill("SIGKILL");
  expect(await delivered).toBe("no answer");
  await until("it is dead", async () => !api.isRunning());
  await holder.query("rollback");
  holder.release();
  expect(await stateOf(paid.id)).toEqual({ state: "open", status: "sample_completed" });

  // Instead of waiting two minutes. Of the two workers, one finds the payment.
  await db.pool.query("update checkouts set next_look_at = now()");
  const workers = await Promise.all([startWorker(), startWorker()]);
  await until("it is bought", async () => (await stateOf(paid.id))?.status === "in_preparation", 120_000);
  // Stripe redelivers the webhook for days.
  const again = await startApi();
  expect(await fixture.double.notices.deliver(lastNotice())).toBe(200);
  expect(await fixture.double.notices.deliver(lastNotice(), { secret: "whsec_of_somebody_else" })).toBe(400);
  const { rows } = await db.pool.query<{ kind: string }>(
    "select kind from money_postings where import_id = $1",
    [paid.importId],
  );
  expect(rows).toEqual([{ kind: "paid" }]);

  const logged = [...running].flatMap(({ lines }) => lines).join("\n");
  expect(logged).toContain("payment kept");
  for (const secret of [fixture.double.secretKey, webhookSecret, "v1="]) expect(logged).not.toContain(secret);
  await Promise.all([...workers, again].map((each) => each.stop()));
}, 900_000);

test("worker killed after Stripe refunded but before recording it: another records it, refunded once", async () => {
  const paid = await checkout();
  fixture.double.pay(paid.reference);
  const actor = { kind: "provider", provider: "stripe" } as const;
  const settle = createSettle({ db });
  const name = { checkoutId: paid.id };
  await settle.paid({ checkout: name, actor, total: 14_900, tax: 0, paidAt: new Date() });
  await settle.giveBack(paid.importId, "operator", { kind: "operator" });
  const first = await startWorker();
  fixture.double.fault("POST /v1/refunds", async () => {
    first.kill("SIGKILL");
    await until("it is dead", async () => !first.isRunning());
  });
  const refund = async () =>
    (await db.pool.query<{ state: string }>("select state from refunds where checkout_id = $1", [paid.id]))
      .rows[0];
  const givenBack = () =>
    fixture.double.intents.get(fixture.double.sessions.get(paid.reference)?.paymentIntent ?? "")?.refunded;
  await until("Stripe has given it back", async () => givenBack() === 14_900, 120_000);
  await until("it is dead", async () => !first.isRunning());
  expect(await refund()).toEqual({ state: "due" });
  // Instead of waiting until the first attempt times out.
  await db.pool.query("update refunds set next_attempt_at = now()");
  await startWorker();
  await until("it is noted", async () => (await refund())?.state === "done", 120_000);
  expect(givenBack()).toBe(14_900);
  const { rows } = await db.pool.query<{ sum: number }>(
    "select sum(amount)::bigint sum from money_entries where import_id = $1 group by account having sum(amount) <> 0",
    [paid.importId],
  );
  expect(rows).toEqual([]);
}, 900_000);
