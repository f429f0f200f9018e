import { afterEach, expect, test, vi } from "vitest";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { createOutbound } from "../../platform/outbound/index.ts";
import { deleteOldDeliveries } from "./store-log.ts";
import { webhookTimes } from "./times.ts";

// A machine that was suspended, or whose clock jumped: only its wall clock shows it.

const fixture = useWebhookFixture();
afterEach(() => vi.restoreAllMocks());

const { now } = Date;
const jump = (ms: number) => vi.spyOn(Date, "now").mockImplementation(() => now() + ms);

const dayMs = 86_400_000;

test("a worker that stood still until its lease ended sends nothing: later events have arrived meanwhile", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample.slice(0, 3));
  const times = webhookTimes();
  const slow = fixture.webhooks({ times });
  const [lost] = await slow.takeDue(10);
  if (!lost) throw new Error("Nothing was taken.");
  await fixture.hurry(acme.partner.id);
  await fixture.drive();
  jump(times.leaseMs - times.requestMs);
  expect(await slow.deliver(lost)).toBeNull();
  const codes = acme.got().map(({ body }) => (JSON.parse(body) as { status_code: string }).status_code);
  expect(codes).toEqual(["waiting_for_sample", "sample_in_progress"]);
  const [, first] = await fixture.deliveries(acme.partner.id);
  expect(first).toMatchObject({ state: "delivered", attempts: [{ status: 200 }] });
});

test("what it did not send is sent by the next worker, without a failed attempt", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "cancelled" });
  const times = webhookTimes();
  const slow = fixture.webhooks({ times });
  const [late] = await slow.takeDue(10);
  jump(times.leaseMs);
  expect(late && (await slow.deliver(late))).toBeNull();
  vi.restoreAllMocks();
  expect(acme.got()).toEqual([]);
  await fixture.hurry(acme.partner.id);
  await fixture.drive();
  expect(await fixture.deliveries(acme.partner.id)).toMatchObject([
    { state: "delivered", attempts: [{ status: 200 }] },
  ]);
});

test("a message that became old while the machine was suspended is built again", async () => {
  const port = new URL(fixture.receiver.url).port;
  let calls = 0;
  const outbound = createOutbound({
    allow: [`slow.example:${port}`],
    resolve: async () => {
      calls += 1;
      if (calls === 1) jump(5_000);
      return ["127.0.0.1"];
    },
  });
  const acme = await fixture.partner({ url: `http://slow.example:${port}/suspended` });
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "cancelled" });
  const before = now();
  await fixture.drive(fixture.webhooks({ outbound, times: webhookTimes() }));
  await outbound.close();
  const [message, ...more] = fixture.receiver.at("/suspended");
  expect(more).toEqual([]);
  const { timestamp } = JSON.parse(message?.body ?? "{}") as { timestamp: number };
  expect(timestamp).toBeGreaterThanOrEqual(before + 5_000);
});

test("a worker whose clock is a year ahead deletes no delivery", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "cancelled" });
  jump(365 * dayMs);
  expect(await deleteOldDeliveries(fixture.db)).toBe(0);
  vi.restoreAllMocks();
  expect(await fixture.deliveries(acme.partner.id)).toHaveLength(1);
});
