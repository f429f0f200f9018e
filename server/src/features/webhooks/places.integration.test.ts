import { expect, test } from "vitest";
import { useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { webhookTimes } from "./times.ts";

const fixture = useWebhookFixture();

const closed = async (of: Awaited<ReturnType<typeof fixture.partner>>, count: number) => {
  for (let i = 0; i < count; i++) {
    const { id } = await fixture.newImport(of);
    await fixture.move(id, { type: "cancelled" });
  }
};

test("the limit of concurrent calls to a partner holds over all workers", async () => {
  const acme = await fixture.partner();
  const other = await fixture.partner();
  await closed(acme, 9);
  await closed(other, 1);
  const a = fixture.webhooks({ perPartner: 4 });
  const b = fixture.webhooks({ perPartner: 4 });
  const taken = (await Promise.all([a.takeDue(100), b.takeDue(100), a.takeDue(100), b.takeDue(100)])).flat();
  const of = (partnerId: string) => taken.filter(({ row }) => row.partnerId === partnerId);
  expect(of(acme.partner.id)).toHaveLength(4);
  expect(of(other.partner.id)).toHaveLength(1);
  expect(await a.takeDue(100)).toEqual([]);
  const [first, ...rest] = of(acme.partner.id);
  if (first) await a.deliver(first);
  expect(await b.takeDue(100)).toHaveLength(1);
  for (const each of [...rest, ...of(other.partner.id)]) await a.deliver(each);
  await fixture.hurry(acme.partner.id);
  await fixture.drive();
});

test("a call that is answered holds no slot while it is being recorded", async () => {
  const acme = await fixture.partner();
  await closed(acme, 2);
  const webhooks = fixture.webhooks({ perPartner: 1 });
  const [first] = await webhooks.takeDue(100);
  if (!first) throw new Error("Nothing is due.");
  const holder = await fixture.db.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from webhook_deliveries where event_id = $1 for update", [first.row.eventId]);
    expect(await webhooks.takeDue(100)).toEqual([]);
    const recorded = webhooks.deliver(first);
    await expect.poll(() => webhooks.takeDue(100)).toHaveLength(1);
    // Another worker knows nothing of the answer.
    expect(await fixture.webhooks({ perPartner: 1 }).takeDue(100)).toEqual([]);
    await holder.query("commit");
    await recorded;
  } finally {
    holder.release();
  }
  await fixture.hurry(acme.partner.id);
  await fixture.drive();
  expect(acme.got()).toHaveLength(2);
});

test("a failing partner gets one call at a time, until one succeeds", async () => {
  const acme = await fixture.partner();
  await closed(acme, 6);
  fixture.receiver.answer(() => ({ status: 500 }));
  const webhooks = fixture.webhooks({ perPartner: 4, times: webhookTimes() });
  const four = await webhooks.takeDue(100);
  expect(four).toHaveLength(4);
  await Promise.all(four.map((each) => webhooks.deliver(each)));
  const [fifth, ...more] = await webhooks.takeDue(100);
  expect(more).toEqual([]);
  expect(await webhooks.takeDue(100)).toEqual([]);
  fixture.receiver.answer(() => ({ status: 200 }));
  if (fifth) await webhooks.deliver(fifth);
  await fixture.hurry(acme.partner.id);
  expect(await webhooks.takeDue(100)).toHaveLength(4);
});

test("a retry without a free slot becomes due and is taken later", async () => {
  const acme = await fixture.partner();
  await closed(acme, 2);
  fixture.receiver.answer(() => ({ status: 500 }));
  const webhooks = fixture.webhooks({ perPartner: 1 });
  const [first] = await webhooks.takeDue(1);
  const next = first && (await webhooks.deliver(first));
  if (!next) throw new Error("There is no next attempt.");
  await fixture.db.pool.query(
    "update webhook_deliveries set due_at = now() + interval '1 hour' where event_id = $1",
    [next.eventId],
  );
  const [second] = await webhooks.takeDue(1);
  expect(second?.row.eventId).not.toBe(next.eventId);
  expect(await webhooks.retry(next, 100)).toBeNull();
  fixture.receiver.answer(() => ({ status: 200 }));
  if (second) await webhooks.deliver(second);
  expect((await webhooks.takeDue(1)).map(({ row }) => row.eventId)).toEqual([next.eventId]);
});

test("thousands of due deliveries of one partner do not block those of another", async () => {
  const acme = await fixture.partner();
  const other = await fixture.partner();
  await fixture.db.pool.query(
    `insert into webhook_deliveries (event_id, partner_id, type, seq, lane, state, next_attempt_at, due_at)
     select 'evt_crowd' || n, $1, 'import.closed', n, 'crowd' || n, 'waiting', now(), now() - interval '1 day'
     from generate_series(1, 20000) n`,
    [acme.partner.id],
  );
  await closed(other, 1);
  const taken = await fixture.webhooks().takeDue(200);
  expect(taken.filter(({ row }) => row.partnerId === other.partner.id)).toHaveLength(1);
  expect(taken.filter(({ row }) => row.partnerId === acme.partner.id)).toHaveLength(16);
});

test("one partner gets an eighth of a worker's free slots, so that a later one finds some", async () => {
  const acme = await fixture.partner();
  const later = await fixture.partner();
  await closed(acme, 6);
  const webhooks = fixture.webhooks();
  const mine = (taken: Awaited<ReturnType<typeof webhooks.takeDue>>, partnerId: string) =>
    taken.filter(({ row }) => row.partnerId === partnerId).length;
  expect(mine(await webhooks.takeDue(16), acme.partner.id)).toBe(2);
  expect(mine(await webhooks.takeDue(14), acme.partner.id)).toBe(0);
  await closed(later, 1);
  expect(mine(await webhooks.takeDue(14), later.partner.id)).toBe(1);
});
