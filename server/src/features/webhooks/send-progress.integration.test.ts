import { progressEvent } from "@portage/contract";
import { verifyWebhook } from "@portage/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { beforeQuery } from "../../../../test/support/before-query.ts";
import { patienceMs } from "../../../../test/support/patience.ts";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { createOutbound, type Outbound } from "../../platform/outbound/index.ts";
import { listEvents } from "../events/index.ts";
import { createProgressSender } from "./send-progress.ts";
import { setTarget } from "./set-target.ts";
import { findTarget } from "./store-targets.ts";
import { webhookTimes } from "./times.ts";

const fixture = useWebhookFixture();
let outbound: Outbound;
beforeAll(() => {
  outbound = createOutbound({ allow: [fixture.receiver.host] });
});
afterAll(() => outbound.close());
// What another test left running is not due here, however slow the machine is.
afterEach(() => fixture.db.pool.query("update webhook_targets set progress = false"));

const sender = () => createProgressSender({ ...fixture, db: fixture.db, outbound, times: webhookTimes() });

/** Sends what is due, and waits for the answers; returns how many messages. */
const send = async (by = sender()) => {
  const sent = await by.sendDue();
  await by.settled();
  return sent;
};

type Acme = Awaited<ReturnType<typeof fixture.partner>>;

const askFor = (acme: Acme) =>
  setTarget(fixture, acme.partner.id, { kind: "checked", url: undefined }, { progress: true });

const addRun = (importId: string, number: number) =>
  fixture.db.pool.query(
    `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf)
     select $1, $2, $3, 'sample', count(*) + 1, '' from runs`,
    [newId("run"), importId, number],
  );

/** An import whose sample runs, and whose events have all arrived. */
const running = async (acme: Acme) => {
  const made = await fixture.newImport(acme);
  await fixture.move(made.id, ...toSample.slice(0, 3));
  await fixture.drive();
  await addRun(made.id, 1);
  return made;
};

const written = (importId: string, created: number) =>
  fixture.db.pool.query(
    `insert into partitions (run_id, no, import_id, step, task, stream, slice, state, expected, read, created, tallies)
     select id, 0, import_id, 0, 'copy', 'tickets', null, 'running', 20, $2, $2, '{}' from runs
     where import_id = $1 and ended_at is null
     on conflict (run_id, no) do update set read = $2, created = $2`,
    [importId, created],
  );

const passMinute = (importId: string) =>
  fixture.db.pool.query(
    "update runs set progress_at = progress_at - interval '61 seconds' where import_id = $1",
    [importId],
  );

const progressOfImports = (acme: Acme) =>
  acme.got().flatMap(({ body }) => {
    const parsed = progressEvent.safeParse(JSON.parse(body));
    return parsed.success ? [parsed.data] : [];
  });

test("an endpoint that asked for it gets a signed message when a run begins, then at most one a minute, from all workers together", async () => {
  const acme = await fixture.partner();
  const { id, token } = await running(acme);
  expect(await send()).toBe(0);
  await askFor(acme);
  await written(id, 7);
  const sent = await Promise.all(Array.from({ length: 5 }, () => send()));
  expect(sent.reduce((total, count) => total + count, 0)).toBe(1);
  expect(await send()).toBe(0);
  const [message, ...more] = progressOfImports(acme);
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    id,
    token,
    status_code: "sample_in_progress",
    previous_status: null,
    items: { tickets: 7 },
    progress: { phase: "sample", state: "running", done: 7, total: 20 },
  });
  const { body = "", headers = {} } = acme.got().at(-1) ?? {};
  const { event } = await verifyWebhook({ body, headers, secrets: acme.secret });
  expect(event.type).toBe("import.progress");
  await passMinute(id);
  expect(await send()).toBe(1);
  // A minute of the import, not of the run.
  await fixture.db.pool.query("update runs set ended_at = now(), state = 'done' where import_id = $1", [id]);
  await addRun(id, 2);
  expect(await send()).toBe(0);
  await passMinute(id);
  expect(await send()).toBe(1);
});

test("the status is of the same moment as the progress", async () => {
  const acme = await fixture.partner();
  await askFor(acme);
  const { id } = await running(acme);
  const db = beforeQuery(fixture.db, "read-standings", () =>
    fixture.db.pool.query(
      `with undone as (update imports set status = 'undo_in_progress', live_run = 'undo' where id = $1)
       update runs set kind = 'undo' where import_id = $1`,
      [id],
    ),
  );
  expect(await send(createProgressSender({ ...fixture, db, outbound, times: webhookTimes() }))).toBe(1);
  expect(progressOfImports(acme)).toMatchObject([
    { status: "Undo in progress", status_code: "undo_in_progress", progress: { phase: "undo" } },
  ]);
});

test("none is sent while an event of the import is on its way, while the endpoint fails, or while the run rests", async () => {
  const acme = await fixture.partner();
  await askFor(acme);
  const { id } = await running(acme);
  const during = async (set: string, reset: string) => {
    await fixture.db.pool.query(set, [acme.partner.id]);
    expect(await send()).toBe(0);
    await fixture.db.pool.query(reset, [acme.partner.id]);
  };
  await fixture.move(id, { type: "attention_required", reason: "sign_in" });
  expect(await send()).toBe(0);
  await fixture.drive();
  const target = "update webhook_targets set";
  await during(
    `${target} failing_since = now() where partner_id = $1`,
    `${target} failing_since = null where partner_id = $1`,
  );
  await during(
    `${target} disabled_at = now(), disabled_because = 'gone' where partner_id = $1`,
    `${target} disabled_at = null, disabled_because = null where partner_id = $1`,
  );
  const runs = (wanted: string) =>
    `update runs set wanted = '${wanted}' where import_id in (select id from imports where partner_id = $1)`;
  await during(runs("pause"), runs("run"));
  expect(await send()).toBe(1);
});

test("a slow receiver gets one at a time, with newer figures; events do not wait for it", async () => {
  const acme = await fixture.partner();
  await askFor(acme);
  const { id } = await running(acme);
  const other = await running(acme);
  await written(id, 3);
  let release = (_: { status: number }) => {};
  fixture.receiver.answer(({ body }) =>
    body.includes("import.progress")
      ? new Promise((resolve) => {
          release = resolve;
        })
      : { status: 200 },
  );
  const slow = sender();
  expect(await slow.sendDue()).toBe(1);
  await expect.poll(() => progressOfImports(acme).length, { timeout: patienceMs }).toBe(1);
  // The other import waits: its partner is busy.
  expect(await slow.sendDue()).toBe(0);
  for (const each of [id, other.id])
    await fixture.move(each, { type: "attention_required", reason: "sign_in" });
  expect(await fixture.drive()).toHaveLength(2);
  for (const created of [4, 5, 6]) {
    await written(id, created);
    await passMinute(id);
    expect(await slow.sendDue()).toBe(0);
  }
  release({ status: 200 });
  await slow.settled();
  fixture.receiver.answer(() => ({ status: 200 }));
  await passMinute(id);
  for (let sent = await send(); sent > 0; sent = await send());
  const mine = progressOfImports(acme).filter((event) => event.id === id);
  expect(mine.map(({ items }) => items)).toEqual([{ tickets: 3 }, { tickets: 6 }]);
});

describe("while a connection is being made", () => {
  /** Sends progress that waits ten seconds for its connection; only the clock says so. */
  const sendLate = async (acme: Acme, meanwhile: () => Promise<unknown>) => {
    const { port } = new URL(fixture.receiver.url);
    await fixture.db.pool.query("update webhook_targets set url = $2 where partner_id = $1", [
      acme.partner.id,
      `http://slow.example:${port}${acme.path}`,
    ]);
    let calls = 0;
    const resolve = async () => {
      calls += 1;
      if (calls > 1) return ["127.0.0.1"];
      await meanwhile();
      const { now: real } = Date;
      vi.spyOn(Date, "now").mockImplementation(() => real() + 10_000);
      return ["127.0.0.1"];
    };
    const slow = createOutbound({ allow: [`slow.example:${port}`], resolve });
    onTestFinished(async () => {
      vi.restoreAllMocks();
      await slow.close();
    });
    const now = () => Date.now();
    const needs = { ...fixture, db: fixture.db, outbound: slow, times: webhookTimes(), now };
    await send(createProgressSender(needs));
    expect(calls).toBeGreaterThan(0);
  };

  test("figures that became old are read again: a later timestamp would make them look new", async () => {
    const acme = await fixture.partner();
    const { id } = await running(acme);
    await askFor(acme);
    await written(id, 3);
    const before = Date.now();
    await sendLate(acme, () => written(id, 9));
    const [message, ...more] = progressOfImports(acme);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ items: { tickets: 9 }, progress: { done: 9 } });
    expect(message?.timestamp).toBeGreaterThanOrEqual(before + 10_000);
  });

  test("nothing is sent of a run that ended meanwhile", async () => {
    const acme = await fixture.partner();
    const { id } = await running(acme);
    await askFor(acme);
    await sendLate(acme, () => fixture.move(id, { type: "cancelled" }));
    expect(progressOfImports(acme)).toEqual([]);
  });
});

test("its timestamp is from before its figures were read, so an event that happens meanwhile is later", async () => {
  const acme = await fixture.partner();
  await askFor(acme);
  const { id } = await running(acme);
  let at = Date.now();
  const db = new Proxy(fixture.db, {
    get: (of, name) => {
      // Each access to the database takes a second.
      at += 1_000;
      return Reflect.get(of, name) as unknown;
    },
  });
  const started = at;
  await send(createProgressSender({ ...fixture, db, outbound, times: webhookTimes(), now: () => at }));
  const [message] = progressOfImports(acme);
  expect(message?.id).toBe(id);
  // The two claims read the database before it.
  expect(message?.timestamp).toBeLessThanOrEqual(started + 3_000);
  expect(at).toBeGreaterThan(started + 3_000);
});

test("a lost one is not sent again, listed or counted against the endpoint; 410 disables it", async () => {
  const acme = await fixture.partner();
  await askFor(acme);
  const { id } = await running(acme);
  const before = [await fixture.deliveries(acme.partner.id), await events(acme)];
  fixture.receiver.answer(() => ({ status: 500 }));
  expect([await send(), await send()]).toEqual([1, 0]);
  expect([await fixture.deliveries(acme.partner.id), await events(acme)]).toEqual(before);
  expect(await findTarget(fixture.db, acme.partner.id)).toMatchObject({
    failingSince: null,
    disabledAt: null,
  });
  await passMinute(id);
  fixture.receiver.answer(() => ({ status: 410 }));
  expect(await send()).toBe(1);
  expect(await findTarget(fixture.db, acme.partner.id)).toMatchObject({ disabledBecause: "gone" });
});

const events = async ({ partner }: Acme) => {
  const listed = await listEvents(fixture.db, fixture.sealer, partner.id, { after: null, limit: 100 });
  return listed === "unknown_event" ? [] : listed.map(({ type }) => type);
};
