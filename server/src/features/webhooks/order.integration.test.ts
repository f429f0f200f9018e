import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { patienceMs } from "../../../../test/support/patience.ts";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { saveTarget } from "./store-targets.ts";
import { webhookTimes } from "./times.ts";

const fixture = useWebhookFixture();

interface Body {
  readonly id: string;
  readonly event_id: string;
  readonly status_code: string;
}
const bodiesOf = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body) as Body);

test("a failing event holds back the later events of its import, and no others", async () => {
  const acme = await fixture.partner();
  const stuck = await fixture.newImport(acme);
  const other = await fixture.newImport(acme);
  fixture.receiver.answer(({ body }) => ({ status: body.includes(stuck.id) ? 500 : 200 }));
  for (const { id } of [stuck, other]) await fixture.move(id, ...toSample);
  await fixture.drive(fixture.webhooks({ times: webhookTimes() }));
  const of = (id: string) =>
    bodiesOf(acme.got()).flatMap((body) => (body.id === id ? [body.status_code] : []));
  expect(of(stuck.id)).toEqual(["waiting_for_sample"]);
  expect(of(other.id)).toEqual(["waiting_for_sample", "sample_in_progress", "sample_completed"]);
  const states = (await fixture.deliveries(acme.partner.id)).flatMap(({ importId, state }) =>
    importId === stuck.id ? [state] : [],
  );
  expect(states).toEqual(["held", "held", "waiting"]);
  fixture.receiver.answer(() => ({ status: 200 }));
  await fixture.hurry(acme.partner.id);
  await fixture.drive();
  expect(of(stuck.id)).toEqual([
    "waiting_for_sample",
    "waiting_for_sample",
    "sample_in_progress",
    "sample_completed",
  ]);
});

test("without ordering, a failing event holds nothing back, and held events are released", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  fixture.receiver.answer(({ body }) => ({ status: body.includes("waiting_for_sample") ? 500 : 200 }));
  await fixture.move(id, ...toSample.slice(0, 3));
  const patient = fixture.webhooks({ times: webhookTimes() });
  await fixture.drive(patient);
  expect(bodiesOf(acme.got()).map(({ status_code: code }) => code)).toEqual(["waiting_for_sample"]);
  const settings = { url: `${fixture.receiver.url}${acme.path}`, eventTypes: null, ordered: false };
  await saveTarget(fixture.db, fixture.sealer, acme.partner.id, settings, null);
  await fixture.move(id, ...toSample.slice(3));
  await fixture.drive(patient);
  const codes = bodiesOf(acme.got()).map(({ status_code: code }) => code);
  expect(codes[0]).toBe("waiting_for_sample");
  expect(codes.slice(1).toSorted()).toEqual(["sample_completed", "sample_in_progress"]);
});

test("only the selected types are sent; a partner without a target gets nothing", async () => {
  const acme = await fixture.partner({ eventTypes: ["import.closed"] });
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample, { type: "cancelled" });
  await fixture.drive();
  expect(bodiesOf(acme.got())).toMatchObject([
    { type: "import.closed", id, status_code: "sample_completed" },
  ]);
  await fixture.db.pool.query("delete from webhook_targets where partner_id = $1", [acme.partner.id]);
  const silent = await fixture.newImport(acme);
  await fixture.move(silent.id, { type: "cancelled" });
  expect(await fixture.deliveries(acme.partner.id)).toHaveLength(1);
});

test("each type is sent when it happens, with all fields for a receiver that ignores the type", async () => {
  const acme = await fixture.partner();
  const { id, token } = await fixture.newImport(acme);
  await fixture.move(
    id,
    ...toSample,
    { type: "full_asked", payer: "partner_decides" } as const,
    { type: "attention_required", reason: "source_sign_in" },
    { type: "cancelled" },
  );
  await fixture.drive();
  const got = acme.got().map(({ body }) => JSON.parse(body) as Body & { type: string });
  expect(got.map(({ type }) => type)).toEqual([
    "import.status_changed",
    "import.status_changed",
    "import.status_changed",
    "import.full_requested",
    "import.attention_required",
    "import.closed",
  ]);
  for (const body of got)
    expect(body).toMatchObject({
      id,
      token,
      status_code: expect.any(String),
      status: expect.any(String),
      users: expect.any(Object),
      timestamp: expect.any(Number),
    });
});

test("events that are written while others end all arrive, in order per import", async () => {
  const acme = await fixture.partner();
  const imports = await Promise.all(Array.from({ length: 12 }, () => fixture.newImport(acme)));
  let stopped = false;
  const worker = async () => {
    const webhooks = fixture.webhooks();
    while (!stopped) {
      const taken = await webhooks.takeDue(20);
      await Promise.all(taken.map((each) => webhooks.deliver(each)));
      if (taken.length === 0) await sleep(2);
    }
  };
  const workers = [worker(), worker()];
  const rounds = 8;
  // Two events per round, written when the previous one may have just arrived.
  await Promise.all(
    imports.map(async ({ id }) => {
      await fixture.move(id, ...toSample.slice(0, 2));
      for (let round = 0; round < rounds; round++) {
        await fixture.move(id, { type: "disconnected", side: "source" });
        await sleep(Math.random() * 10);
        await fixture.move(id, { type: "connected", side: "source" });
      }
    }),
  );
  const wanted = imports.length * (1 + 2 * rounds);
  const giveUpAt = performance.now() + patienceMs;
  while (acme.got().length < wanted && performance.now() < giveUpAt) await sleep(20);
  stopped = true;
  await Promise.all(workers);
  const { rows } = await fixture.db.pool.query<{ id: string }>(
    "select id from events where partner_id = $1 order by seq",
    [acme.partner.id],
  );
  expect(rows).toHaveLength(wanted);
  const order = new Map(rows.map(({ id }, index) => [id, index]));
  for (const { id } of imports) {
    const positions = bodiesOf(acme.got()).flatMap((body) =>
      body.id === id ? [order.get(body.event_id) ?? -1] : [],
    );
    expect(positions).toHaveLength(1 + 2 * rounds);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  }
});

test("an event that is written while its predecessor ends waits for that, and is not held forever", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample.slice(0, 2));
  const ending = await fixture.db.pool.connect();
  await ending.query("begin");
  await ending.query(
    "update webhook_deliveries set state = 'delivered', due_at = null, ended_at = now() where partner_id = $1",
    [acme.partner.id],
  );
  let written = false;
  const writing = fixture.move(id, ...toSample.slice(2, 3)).then(() => {
    written = true;
  });
  await sleep(300);
  expect(written).toBe(false);
  await ending.query("commit");
  ending.release();
  await writing;
  expect((await fixture.deliveries(acme.partner.id)).map(({ state }) => state)).toEqual([
    "waiting",
    "delivered",
  ]);
  await fixture.drive();
  expect(bodiesOf(acme.got()).map(({ status_code: code }) => code)).toEqual(["sample_in_progress"]);
});

test("the database refuses a second head of a lane", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample.slice(0, 3));
  const freed = fixture.db.pool.query(
    "update webhook_deliveries set state = 'waiting', due_at = now() where partner_id = $1 and state = 'held'",
    [acme.partner.id],
  );
  await expect(freed).rejects.toThrow("webhook_deliveries_head_key");
});
