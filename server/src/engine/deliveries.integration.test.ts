import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { counting, createCountingRuns } from "../../../test/support/counting-runs.ts";
import { createEngineFixture, type EngineFixture, until } from "../../../test/support/engine-fixture.ts";
import { givenPartner, testSealer } from "../../../test/support/fixtures.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/support/webhook-receiver.ts";
import {
  createWebhooks,
  findTarget,
  listDeliveries,
  newWebhookSecret,
  saveTarget,
  webhookTimes,
  writeTestEvent,
} from "../features/webhooks/index.ts";
import { createLog } from "../platform/log.ts";
import { createOutbound, type Outbound } from "../platform/outbound/index.ts";

let fixture: EngineFixture;
let receiver: WebhookReceiver;
let outbound: Outbound;
const sealer = testSealer();
beforeAll(async () => {
  [fixture, receiver] = await Promise.all([createEngineFixture(), startWebhookReceiver()]);
  outbound = createOutbound({ allow: [receiver.host] });
});
let running: Awaited<ReturnType<EngineFixture["startWorker"]>>[] = [];
afterEach(async () => {
  receiver.answer(() => ({ status: 200 }));
  receiver.hangUp();
  // Also stops what a failed test has left running: it would take the next test's work.
  await Promise.all(running.map((worker) => worker.drain()));
  running = [];
});
afterAll(async () => {
  await fixture.remove();
  await outbound.close();
  await receiver.close();
});

const hour = 3_600_000;

const startWorker = async (times: Partial<ReturnType<typeof webhookTimes>> = {}) => {
  const webhooks = createWebhooks({
    db: fixture.db,
    sealer,
    outbound,
    perPartner: 16,
    log: createLog("silent"),
    times: { ...webhookTimes(0.01), ...times },
  });
  const runs = createCountingRuns(fixture.db, "r1", counting);
  const worker = await fixture.startWorker(runs, { webhooks });
  const drain = () => {
    running = running.filter((each) => each !== started);
    return worker.drain();
  };
  const started = { ...worker, drain };
  running.push(started);
  return started;
};

const partnerAt = async (path: string) => {
  const { partner } = await givenPartner(fixture.db);
  const settings = { url: `${receiver.url}${path}`, eventTypes: null, ordered: true };
  await saveTarget(fixture.db, sealer, partner.id, settings, newWebhookSecret());
  return partner.id;
};

const stateOf = async (partnerId: string, eventId: string) =>
  (await listDeliveries(fixture.db, partnerId, { after: null, limit: 1, eventId }))[0];

test("Restate retries a failed delivery when it is due, and no sooner", {
  timeout: 600_000,
}, async () => {
  // The sweep would not find it within this test: Restate makes the second attempt.
  const worker = await startWorker({ delaysMs: [1_500], graceMs: hour });
  const partnerId = await partnerAt("/again");
  receiver.answer(() => ({ status: receiver.at("/again").length === 1 ? 500 : 200 }));
  const eventId = await writeTestEvent(fixture.db, partnerId);
  await until("it arrived", async () => (await stateOf(partnerId, eventId))?.state === "delivered");
  const [first, second, ...more] = receiver.at("/again");
  expect(more).toEqual([]);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1_300);
  await until("Restate has nothing left to do", async () => {
    const left = await fixture.restate.query<{ n: number }>(
      "select count(*) as n from sys_invocation where target_service_name = 'Delivery' and status <> 'completed'",
    );
    return left[0]?.n === 0;
  });
  await worker.drain();
});

test("first attempts need no Restate; when it loses its data, the sweep makes the retries", {
  timeout: 600_000,
}, async () => {
  const worker = await startWorker({ delaysMs: [3_000, 3_000], graceMs: 500 });
  const partnerId = await partnerAt("/wiped");
  receiver.answer(() => ({ status: receiver.at("/wiped").length === 1 ? 500 : 200 }));
  const failing = await writeTestEvent(fixture.db, partnerId);
  await until("it was refused", async () => receiver.at("/wiped").length === 1);
  await fixture.restate.kill();
  fixture.restate.wipe();
  const other = await partnerAt("/meanwhile");
  await writeTestEvent(fixture.db, other);
  await until("another arrived", async () => receiver.at("/meanwhile").length === 1);
  await until(
    "the refused one came again",
    async () => (await stateOf(partnerId, failing))?.state === "delivered",
  );
  expect(receiver.at("/wiped")).toHaveLength(2);
  await fixture.restate.start();
  await worker.drain();
});

test("a draining worker finishes its running calls and takes no more", {
  timeout: 600_000,
}, async () => {
  const worker = await startWorker();
  const partnerId = await partnerAt("/draining");
  receiver.answer(() => ({ status: 200, afterMs: 1_000 }));
  const eventId = await writeTestEvent(fixture.db, partnerId);
  await until("it is under way", async () => receiver.at("/draining").length === 1);
  await worker.drain();
  expect((await stateOf(partnerId, eventId))?.state).toBe("delivered");
  const late = await writeTestEvent(fixture.db, partnerId);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await stateOf(partnerId, late))?.state).toBe("waiting");
});

test("a partner that never answers does not delay others", { timeout: 600_000 }, async () => {
  const worker = await startWorker({ requestMs: 80_000, leaseMs: 90_000 });
  const dead = await partnerAt("/dead");
  const healthy = await partnerAt("/healthy");
  receiver.answer(({ path }) => (path === "/dead" ? "never" : { status: 200 }));
  for (let i = 0; i < 30; i++) await writeTestEvent(fixture.db, dead);
  await until("the dead one is called", async () => receiver.at("/dead").length > 0);
  const eventId = await writeTestEvent(fixture.db, healthy);
  await until(
    "the healthy receiver gets the event",
    async () => (await stateOf(healthy, eventId))?.state === "delivered",
  );
  // No delivery to the dead receiver has ended by then.
  expect((await findTarget(fixture.db, dead))?.failingSince).toBeNull();
  receiver.answer(() => ({ status: 200 }));
  receiver.hangUp();
  await worker.drain();
});
