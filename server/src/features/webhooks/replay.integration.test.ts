import { expect, test } from "vitest";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { deleteOldDeliveries } from "./store-log.ts";
import { replayEvent, replayRange } from "./store-replay.ts";
import { disableTarget, enableTarget } from "./store-targets.ts";
import { writeTestEvent } from "./test-event.ts";
import { webhookTimes } from "./times.ts";

const fixture = useWebhookFixture();
const dayMs = 86_400_000;
const always = { since: new Date(0), until: new Date(Date.now() + 10 * dayMs), undelivered: false };

const sample = async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample);
  await fixture.drive();
  const events = () => acme.got().map(({ headers }) => headers["webhook-id"] ?? "");
  return { acme, id, events };
};

test("a replayed event has a full schedule of its own, and does not block others", async () => {
  const { acme, id, events } = await sample();
  const [first = ""] = events();
  fixture.receiver.answer(({ headers }) => ({ status: headers["webhook-id"] === first ? 500 : 200 }));
  expect(await replayEvent(fixture.db, acme.partner.id, first)).toEqual({ kind: "replayed" });
  await fixture.drive(fixture.webhooks({ times: webhookTimes() }));
  await fixture.move(id, { type: "cancelled" });
  await fixture.drive();
  expect(events().slice(3)).toEqual([first, expect.stringMatching(/^evt_/)]);
  // A second replay while it waits sends it now.
  fixture.receiver.answer(() => ({ status: 200 }));
  expect(await replayEvent(fixture.db, acme.partner.id, first)).toEqual({ kind: "replayed" });
  await fixture.drive();
  expect(events().at(-1)).toBe(first);
  const deliveries = await fixture.deliveries(acme.partner.id);
  expect(deliveries.find(({ eventId }) => eventId === first)).toMatchObject({
    state: "delivered",
    attempts: [{ status: 200 }, { status: 500 }, { status: 200 }],
  });
});

test("another partner's event is missing, and so is an unknown one", async () => {
  const { events } = await sample();
  const other = await fixture.partner();
  const [first = ""] = events();
  expect(await replayEvent(fixture.db, other.partner.id, first)).toEqual({ kind: "missing" });
  expect(await replayEvent(fixture.db, other.partner.id, newId("evt"))).toEqual({ kind: "missing" });
});

test("a disabled endpoint: nothing is queued, then or after it is enabled", async () => {
  const { acme, events } = await sample();
  const [first = "", ...more] = events();
  await disableTarget(fixture.db, acme.partner.id, "gone");
  expect(await replayEvent(fixture.db, acme.partner.id, first)).toEqual({
    kind: "disabled",
    text: expect.stringMatching(/^disabled since \d{4}-.+Z: it answered 410 Gone$/),
  });
  await enableTarget(fixture.db, acme.partner.id, "operator");
  await fixture.drive();
  expect(events()).toEqual([first, ...more]);
});

test("a time range is replayed in order per import, including events without a delivery", async () => {
  const { acme, events } = await sample();
  const before = [...events()];
  await fixture.db.pool.query("delete from webhook_deliveries where event_id = $1", [before[1]]);
  expect(await replayRange(fixture.db, acme.partner.id, { ...always, undelivered: true })).toBe(1);
  await fixture.drive();
  expect(events().slice(3)).toEqual([before[1]]);
  expect(await replayRange(fixture.db, acme.partner.id, always)).toBe(3);
  // Deliveries that are under way are not replayed again.
  expect(await replayRange(fixture.db, acme.partner.id, always)).toBe(0);
  await fixture.drive();
  expect(events().slice(4)).toEqual(before);
  const past = { ...always, until: new Date(Date.now() - dayMs) };
  expect(await replayRange(fixture.db, acme.partner.id, past)).toBe(0);
});

test("a test event carries the sandbox's import and ignores the type filter", async () => {
  const acme = await fixture.partner({ eventTypes: ["import.closed"] });
  const eventId = await writeTestEvent(fixture.db, acme.partner.id);
  await fixture.drive();
  const [received] = acme.got();
  expect(JSON.parse(received?.body ?? "")).toMatchObject({
    event_id: eventId,
    type: "webhook.test",
    id: "sample_completed",
    status_code: "sample_completed",
    status: "Sample migration completed",
    users: { matched: 3 },
    timestamp: expect.any(Number),
  });
});

test("after 30 days deliveries and attempts are deleted, and the deliveries held by them are released", async () => {
  const { acme, id } = await sample();
  fixture.receiver.answer(() => ({ status: 500 }));
  await fixture.move(id, { type: "matching_changed" }, { type: "cancelled" });
  await fixture.drive(fixture.webhooks({ times: webhookTimes() }));
  const old = newId("evt", Date.now() - 31 * dayMs);
  await fixture.db.pool.query(
    `with head as (
       update webhook_deliveries set event_id = $2, created_at = now() - interval '31 days'
       where partner_id = $1 and state = 'waiting' returning event_id)
     insert into webhook_attempts (event_id, generation, at, duration_ms)
     select event_id, 1, now() - interval '31 days', 1 from head`,
    [acme.partner.id, old],
  );
  const before = await fixture.deliveries(acme.partner.id);
  expect(before.map(({ state }) => state)).toEqual([
    "held",
    "delivered",
    "delivered",
    "delivered",
    "waiting",
  ]);
  expect(await deleteOldDeliveries(fixture.db)).toBe(1);
  const after = await fixture.deliveries(acme.partner.id);
  expect(after.map(({ state }) => state)).toEqual(["waiting", "delivered", "delivered", "delivered"]);
  const { rows } = await fixture.db.pool.query("select from webhook_attempts where event_id = $1", [old]);
  expect(rows).toHaveLength(0);
});
