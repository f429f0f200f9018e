import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testSealer } from "../../../../test/support/fixtures.ts";
import { givenImport } from "../../../../test/support/given-import.ts";
import { createMetrics } from "../../platform/metrics/index.ts";
import { measureQueues, measureStorage, queueMetricNames, storageMetricNames } from "./index.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const leaseMs = 60_000;
const measure = async () => {
  const metrics = createMetrics();
  await measureQueues(db, metrics, { leaseMs });
  await measureStorage(db, metrics, async () => new Map([["k1", 3]]));
  const values = new Map<string, number>();
  for (const line of (await metrics.text()).body.split("\n")) {
    if (!line.startsWith("portage_")) continue;
    const split = line.lastIndexOf(" ");
    values.set(line.slice(0, split), Number(line.slice(split + 1)));
  }
  return values;
};
const near = (seconds: number) => ({
  asymmetricMatch: (value: unknown) =>
    typeof value === "number" && value >= seconds && value < seconds + 1_800,
  toString: () => `about ${seconds}`,
});

test("an idle installation has every metric, at zero", async () => {
  const values = await measure();
  const named = new Set([...values.keys()].map((key) => key.split("{")[0]));
  // Those by tool, status and partner's choice have no value before there is one.
  const silent = ["portage_imports", "portage_tool_quota_used", "portage_tool_quota_limit"];
  expect([...queueMetricNames, ...storageMetricNames].filter((name) => !named.has(name)).toSorted()).toEqual(
    silent.toSorted(),
  );
  for (const [key, value] of values)
    if (!/size_bytes|key_sealed/.test(key) && queueMetricNames.some((name) => key.startsWith(name)))
      expect([key, value]).toEqual([key, 0]);
  expect(values.get('portage_key_sealed_values{key="k1"}')).toBe(3);
  expect(values.get('portage_db_size_bytes{table="imports"}')).toBeGreaterThan(0);
});

test("each queue is counted with the age of its oldest", async () => {
  const { partner } = await givenPartner(db);
  const open = [await givenImport(db, sealer), await givenImport(db, sealer), await givenImport(db, sealer)];
  const closed = await givenImport(db, sealer);
  await db.pool.query("delete from outbox");
  await db.pool.query("update imports set closed = 'archived', closed_at = now() where id = $1", [closed]);
  const insertRun = (importId: string | undefined, more: string) =>
    db.pool.query(
      `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf, state, wanted, waiting_for, refusals, ended_at)
       select 'run_' || lpad(right($1, 6), 26, '0'), $1, 1, 'full', abs(hashtext($1)), '', ${more}`,
      [importId],
    );
  await insertRun(open[0], "'running', 'run', null, null, null");
  await insertRun(open[1], "'waiting', 'run', 'source', null, null");
  await insertRun(open[2], `'running', 'pause', null, '{"stream":"x","code":"y","count":3}', null`);
  await insertRun(closed, "'done', 'run', null, null, now()");
  await db.pool.query(
    `insert into partitions (run_id, no, import_id, step, task, state, due_at, failing_since, batch_ids, batch_deadline)
     select r.id, n, r.import_id, 0, 'copy', 'running', now() + (n * 1000 - 300) * interval '1 second',
       now() - interval '2 hours', array['a', 'b'], now() - interval '1 minute'
     from runs r, generate_series(0, 1) n`,
  );
  await db.pool.query(
    `insert into outbox (import_id, effect, created_at, dispatched_at) values
       ($1, '{"kind":"stop_run"}', now() - interval '1 hour', null), ($1, '{"kind":"stop_run"}', now(), null),
       ($1, '{"kind":"notify"}', now() - interval '9 hours', null),
       ($1, '{"kind":"stop_run"}', now() - interval '9 hours', now()),
       ($1, '{"kind":"stop_run"}', now(), now() - interval '33 days')`,
    [open[0]],
  );
  await db.pool.query(
    `insert into webhook_targets (partner_id, url, secret, disabled_at, disabled_because) values
       ($1, 'https://a.example', '', null, null)`,
    [partner.id],
  );
  const { partner: other } = await givenPartner(db);
  await db.pool.query(
    `insert into webhook_targets (partner_id, url, secret, disabled_at, disabled_because) values
       ($1, 'https://b.example', '', now(), 'no_success')`,
    [other.id],
  );
  const { partner: broken } = await givenPartner(db);
  await db.pool.query(
    `insert into webhook_targets (partner_id, url, secret, failing_since) values
       ($1, 'https://c.example', '', now() - interval '1 hour')`,
    [broken.id],
  );
  await db.pool.query(
    `insert into webhook_deliveries (event_id, partner_id, type, seq, lane, state, due_at) values
       ('e1', $1, 't', 1, 'l1', 'waiting', now() - interval '20 minutes'), ('e2', $1, 't', 2, 'l1', 'held', null),
       ('e3', $2, 't', 3, 'l3', 'waiting', now() - interval '3 hours'),
       ('e4', $3, 't', 4, 'l4', 'waiting', now() - interval '1 hour')`,
    [partner.id, other.id, broken.id],
  );
  await db.pool.query(
    `insert into mails (id, import_id, occasion, about, run_id, round, created_at)
     values ('eml_' || lpad('1', 26, '0'), $1, 'done', '', '', 0, now() - interval '40 minutes')`,
    [open[0]],
  );
  await db.pool.query("insert into last_retention (ended_at) values ('2026-01-01T00:00:00Z')");
  await db.pool.query(
    `insert into staff_audit (action, changes, request_id, outcome, at) values
       ('breakGlassSignIn', true, '', 'done', '2026-02-01T00:00:00Z'), ('breakGlassSignIn', true, '', 'done', '2026-02-02T00:00:00Z'),
       ('signIn', true, '', 'done', '2026-02-03T00:00:00Z')`,
  );
  await db.pool.query(
    `insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until, created_at) values
       ($1, 'a', '', gen_random_uuid(), now(), now() - interval '4 days'),
       ($1, 'b', '', gen_random_uuid(), now(), now() - interval '2 days')`,
    [partner.id],
  );
  const values = await measure();
  const some = Object.fromEntries(values);
  const imports = [...values].filter(([key]) => key.startsWith("portage_imports{"));
  expect(imports.map(([, value]) => value)).toEqual([3]);
  expect(some).toMatchObject({
    'portage_runs_active{kind="full"}': 3,
    'portage_runs_active{kind="undo"}': 0,
    'portage_runs_waiting{side="source"}': 1,
    'portage_runs_waiting{side="destination"}': 0,
    'portage_runs_paused{because="refusals"}': 1,
    'portage_runs_paused{because="person"}': 0,
    portage_partitions_running: 2,
    portage_partitions_overdue: 1,
    portage_partition_oldest_silence_seconds: near(300),
    portage_partition_oldest_lease_seconds: near(360),
    portage_partition_oldest_failing_seconds: near(7_200),
    // Also of runs that wait or rest.
    portage_records_in_doubt: 12,
    portage_outbox_waiting: 2,
    portage_outbox_oldest_seconds: near(3_600),
    'portage_webhook_backlog{state="waiting"}': 3,
    'portage_webhook_backlog{state="held"}': 1,
    'portage_webhook_backlog{state="sending"}': 0,
    portage_webhook_oldest_due_seconds: near(1_200),
    'portage_webhook_targets_disabled{because="no_success"}': 1,
    'portage_webhook_targets_disabled{because="gone"}': 0,
    portage_mails_waiting: 1,
    portage_mail_oldest_seconds: near(2_400),
    portage_retention_last_success_timestamp_seconds: Date.parse("2026-01-01T00:00:00Z") / 1_000,
    portage_break_glass_sign_in_timestamp_seconds: Date.parse("2026-02-02T00:00:00Z") / 1_000,
    'portage_retention_debt{table="idempotency_keys"}': 1,
    'portage_retention_debt{table="outbox"}': 1,
    'portage_retention_debt{table="events"}': 0,
  });
});

test("the fullest quota of any account shows for its tool", async () => {
  const nowMs = Date.now();
  const state = (used: number) => ({
    shape: 2,
    limits: { 60000: { requests: 100, perMs: 60_000 }, 1000: { requests: 50, perMs: 1_000 } },
    usage: [Math.floor(nowMs / 250), used],
    usageBy: {},
    quotas: {},
    members: {},
  });
  for (const [account, used] of [
    ["a", 10],
    ["b", 40],
  ] as const)
    await db.pool.query(
      `insert into account_slots (tool, account_id, version, changed_from, state, changed_at)
       values ('redmine', $1, 1, 0, $2, now())`,
      [account, JSON.stringify(state(used))],
    );
  await db.pool.query(
    `insert into account_slots (tool, account_id, version, changed_from, state, changed_at)
     values ('znuny', 'c', 1, 0, $1, now() - interval '1 hour')`,
    [JSON.stringify(state(90))],
  );
  const values = await measure();
  // Fuller than 40 of 100 in the minute is 40 of 50 in the second.
  const used = values.get('portage_tool_quota_used{tool="redmine"}') ?? 0;
  expect(used).toBe(40);
  expect([50, 100]).toContain(values.get('portage_tool_quota_limit{tool="redmine"}'));
  expect(values.has('portage_tool_quota_used{tool="znuny"}')).toBe(false);
});
