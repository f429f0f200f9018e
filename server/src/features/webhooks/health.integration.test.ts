import { afterAll, beforeAll, expect, test } from "vitest";
import { useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { createOutbound, type Outbound } from "../../platform/outbound/index.ts";
import { createProgressSender } from "./send-progress.ts";
import { setTarget } from "./set-target.ts";
import { takeDisabledNotices } from "./store-notices.ts";
import { replayEvent } from "./store-replay.ts";
import { disableTarget, enableTarget, findTarget } from "./store-targets.ts";
import type { DisabledBecause } from "./target.ts";
import { webhookTimes } from "./times.ts";

// What an attempt says counts for the address and the enabling it was sent to, however late its answer is.

const fixture = useWebhookFixture();
let outbound: Outbound;
beforeAll(() => {
  outbound = createOutbound({ allow: [fixture.receiver.host] });
});
afterAll(() => outbound.close());

type Acme = Awaited<ReturnType<typeof fixture.partner>>;

const closed = async (of: Acme, count = 1) => {
  for (let i = 0; i < count; i++) {
    const { id } = await fixture.newImport(of);
    await fixture.move(id, { type: "cancelled" });
  }
};

const moveAway = (of: Acme) =>
  setTarget(fixture, of.partner.id, { kind: "checked", url: `${fixture.receiver.url}${of.path}/new` }, {});

const target = (of: Acme) => findTarget(fixture.db, of.partner.id);
const well = { disabledAt: null, disabledBecause: null, failingSince: null };

/** Attempts that are under way: sent, and not answered yet. */
const underWay = async (of: Acme, count = 1) => {
  await closed(of, count);
  const webhooks = fixture.webhooks({ times: webhookTimes() });
  // On a slow machine retries of other tests are due as well.
  const taken = (await webhooks.takeDue(100)).filter(({ row }) => row.partnerId === of.partner.id);
  expect(taken).toHaveLength(count);
  return taken.map((each) => () => webhooks.deliver(each));
};

const answer = (status: number) => fixture.receiver.answer(() => ({ status }));

test.each([410, 500])("%i from the old address says nothing about the new one", async (status) => {
  const acme = await fixture.partner();
  const [late] = await underWay(acme);
  await moveAway(acme);
  answer(status);
  await late?.();
  expect(await target(acme)).toMatchObject(well);
  answer(200);
  await fixture.hurry(acme.partner.id);
  await fixture.drive();
  expect(fixture.receiver.at(`${acme.path}/new`)).toHaveLength(1);
});

test.each([410, 500])(
  "%i that was sent before the endpoint was enabled does not count after it",
  async (status) => {
    const acme = await fixture.partner();
    const [first, late] = await underWay(acme, 2);
    answer(410);
    await first?.();
    expect(await target(acme)).toMatchObject({ disabledBecause: "gone" });
    await enableTarget(fixture.db, acme.partner.id, "partner");
    answer(status);
    await late?.();
    expect(await target(acme)).toMatchObject(well);
  },
);

test("a success of the old address does not hide that the new one fails", async () => {
  const acme = await fixture.partner();
  answer(500);
  const [first] = await underWay(acme);
  await first?.();
  const [late] = await underWay(acme);
  await moveAway(acme);
  const [failing] = await underWay(acme);
  await failing?.();
  answer(200);
  await late?.();
  expect((await target(acme))?.failingSince).toBeInstanceOf(Date);
});

test("answers of both addresses that are recorded together count for their own", async () => {
  const acme = await fixture.partner();
  const webhooks = fixture.webhooks({ times: webhookTimes() });
  await closed(acme);
  const before = await webhooks.takeDue(100);
  await moveAway(acme);
  await closed(acme);
  const after = await webhooks.takeDue(100);
  fixture.receiver.answer(({ path }) => ({ status: path.endsWith("/new") ? 500 : 410 }));
  await Promise.all([...before, ...after].map((each) => webhooks.deliver(each)));
  expect(await target(acme)).toMatchObject({ disabledBecause: null, failingSince: expect.any(Date) });
});

test("an address that is changed while its health is being recorded keeps its own", async () => {
  const acme = await fixture.partner();
  const [late] = await underWay(acme);
  answer(410);
  const holder = await fixture.db.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(
      "update webhook_targets set url = url || '/new', health_epoch = health_epoch + 1 where partner_id = $1",
      [acme.partner.id],
    );
    const recorded = late?.();
    await expect
      .poll(async () => {
        const { rows } = await fixture.db.pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%webhook_targets%' and datname = current_database()",
        );
        return rows.length;
      })
      .toBe(1);
    await holder.query("commit");
    await recorded;
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  expect(await target(acme)).toMatchObject(well);
});

test("410 to progress that was sent to the old address, or before it was enabled, disables nothing", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  const progress = createProgressSender({ ...fixture, db: fixture.db, outbound, times: webhookTimes() });
  const whileSent = async (change: () => Promise<unknown>) => {
    fixture.receiver.answer(async () => {
      await change();
      return { status: 410 };
    });
    await fixture.db.pool.query("update runs set progress_at = null where import_id = $1", [id]);
    expect(await progress.sendDue()).toBe(1);
    await progress.settled();
  };
  await fixture.db.pool.query("update webhook_targets set progress = true where partner_id = $1", [
    acme.partner.id,
  ]);
  await fixture.db.pool.query("update imports set live_run = 'sample' where id = $1", [id]);
  await fixture.db.pool.query(
    `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf)
     select $1, $2, 1, 'sample', count(*) + 1, '' from runs`,
    [newId("run"), id],
  );
  await whileSent(() => moveAway(acme));
  expect(await target(acme)).toMatchObject(well);
  await whileSent(async () => {
    await disableTarget(fixture.db, acme.partner.id, "gone");
    await enableTarget(fixture.db, acme.partner.id, "partner");
  });
  expect(await target(acme)).toMatchObject(well);
  expect(fixture.lines.join("")).not.toContain(`"partner":"${acme.partner.id}","because"`);
  await whileSent(() => Promise.resolve());
  expect(await target(acme)).toMatchObject({ disabledBecause: "gone" });
});

test.each<[DisabledBecause, boolean]>([
  ["gone", true],
  ["no_success", true],
  ["operator", false],
])(
  "a new address of an endpoint that is disabled because of '%s' is enabled: %s",
  async (because, enabled) => {
    const acme = await fixture.partner();
    await disableTarget(fixture.db, acme.partner.id, because);
    await closed(acme);
    await fixture.drive();
    expect(acme.got()).toEqual([]);
    await moveAway(acme);
    expect(await target(acme)).toMatchObject(enabled ? well : { disabledBecause: because });
    await fixture.drive();
    expect(fixture.receiver.at(`${acme.path}/new`)).toHaveLength(enabled ? 1 : 0);
    // Of an address that works there is nothing to mail.
    const notices = await takeDisabledNotices(fixture.db, 100, 60_000);
    expect(notices.some(({ partnerId }) => partnerId === acme.partner.id)).toBe(!enabled);
  },
);

test("once enabled after five days, what waits is sent; what was given up before is failed until it is replayed", async () => {
  const acme = await fixture.partner();
  const webhooks = fixture.webhooks({ times: webhookTimes() });
  const attempt = async () => {
    await fixture.hurry(acme.partner.id);
    await fixture.drive(webhooks);
  };
  answer(500);
  await closed(acme);
  for (let i = 0; i < 10; i++) await attempt();
  // Ten attempts take little more than three days.
  expect((await target(acme))?.disabledAt).toBeNull();
  await fixture.db.pool.query(
    "update webhook_targets set failing_since = now() - interval '5 days 1 minute' where partner_id = $1",
    [acme.partner.id],
  );
  await closed(acme);
  await attempt();
  expect(await target(acme)).toMatchObject({ disabledBecause: "no_success" });
  await enableTarget(fixture.db, acme.partner.id, "partner");
  answer(200);
  await attempt();
  const [second, first] = await fixture.deliveries(acme.partner.id);
  expect([first?.state, second?.state]).toEqual(["failed", "delivered"]);
  await replayEvent(fixture.db, acme.partner.id, first?.eventId ?? "");
  await attempt();
  expect(await fixture.deliveries(acme.partner.id)).toMatchObject([
    { state: "delivered" },
    { state: "delivered" },
  ]);
});

test("the same address again enables nothing, and what is under way still counts", async () => {
  const acme = await fixture.partner();
  const [first, late] = await underWay(acme, 2);
  const sameAgain = async () => {
    const { url } = (await target(acme)) ?? {};
    await setTarget(fixture, acme.partner.id, { kind: "checked", url }, { progress: true });
  };
  await sameAgain();
  answer(500);
  await first?.();
  expect(await target(acme)).toMatchObject({ disabledBecause: null, failingSince: expect.any(Date) });
  answer(410);
  await late?.();
  await sameAgain();
  expect(await target(acme)).toMatchObject({ disabledBecause: "gone" });
});
