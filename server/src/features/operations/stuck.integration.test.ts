import { expect, test } from "vitest";
import { connected, sampled, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { newId } from "../../platform/ids.ts";
import { operatorBase } from "../../http/operator/base.ts";
import { findStuck, type StuckCause, stuckCauses } from "./index.ts";

const api = useOperatorApi();
const running = [...connected, { type: "sample_started" }] as const;

/** An import whose sample runs, dispatched, with one partition at work. */
const givenRun = async () => {
  const { id } = await api.givenImport(running);
  const { rows } = await api.db.pool.query<{ id: number }>(
    "update outbox set dispatched_at = now() where import_id = $1 returning id",
    [id],
  );
  const runId = newId("run");
  await api.db.pool.query(
    `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf) values ($1, $2, 1, 'sample', $3, '')`,
    [runId, id, rows[0]?.id],
  );
  await api.db.pool.query(
    `insert into partitions (run_id, no, import_id, step, task, stream, state, due_at, started_at, cursor)
     values ($1, 0, $2, 0, 'copy', 'tickets', 'running', now() + interval '1 minute', now(), '{"page": 7}')`,
    [runId, id],
  );
  return { id, runId };
};

const change = (sql: string, id: string) => api.db.pool.query(sql, [id]);

/** Puts an import into the state of a cause since `ago`. */
const plants: Readonly<Record<StuckCause, (ago: string) => Promise<string>>> = {
  not_dispatched: async (ago) => {
    const { id } = await api.givenImport(running);
    await change(`update outbox set created_at = now() - interval '${ago}' where import_id = $1`, id);
    return id;
  },
  no_run: async (ago) => {
    const { id } = await api.givenImport(running);
    await change("update outbox set dispatched_at = now() where import_id = $1", id);
    await change(`update imports set active_at = now() - interval '${ago}' where id = $1`, id);
    return id;
  },
  silent: async (ago) => {
    const { id } = await givenRun();
    await change(`update partitions set due_at = now() - interval '${ago}' where import_id = $1`, id);
    return id;
  },
  failing: async (ago) => {
    const { id } = await givenRun();
    await change(`update partitions set failing_since = now() - interval '${ago}' where import_id = $1`, id);
    return id;
  },
  no_progress: async (ago) => {
    const { id } = await givenRun();
    await change(`update partitions set mark_at = now() - interval '${ago}' where import_id = $1`, id);
    return id;
  },
  sign_in_needed: async (ago) => {
    const { id } = await givenRun();
    await change(
      `update runs set state = 'waiting', waiting_for = 'source', waiting_since = now() - interval '${ago}'
       where import_id = $1`,
      id,
    );
    return id;
  },
  refused: async (ago) => {
    const { id } = await givenRun();
    await change(
      `update runs set wanted = 'pause', refusals = '{"stream": "tickets", "code": "x", "count": 20}' where import_id = $1`,
      id,
    );
    await change(
      `insert into audit (import_id, seq, event, to_status, actor, at)
       values ($1, 99, '{"type": "attention_required", "reason": "refusals"}', 'sample_in_progress', 'system',
         now() - interval '${ago}')`,
      id,
    );
    return id;
  },
  no_decision: async (ago) => {
    const { id } = await api.givenImport([...sampled, { type: "full_asked", payer: "partner_decides" }]);
    await change(`update imports set active_at = now() - interval '${ago}' where id = $1`, id);
    await change("update outbox set dispatched_at = now() where import_id = $1", id);
    return id;
  },
};

test.each(Object.keys(plants) as StuckCause[])(
  "%s is found once it has lasted too long, not before",
  async (cause) => {
    const { after, waitsFor } = stuckCauses[cause];
    const late = await plants[cause](`${after} 10 seconds`);
    const early = await plants[cause](after.replace(/^\d+/, (n) => String(Number(n) / 2)));
    const all = await findStuck(api.db);
    expect(all.get(late)?.cause).toBe(cause);
    expect(all.has(early)).toBe(false);
    expect([...(await findStuck(api.db, [late, early])).keys()]).toEqual([late]);

    const viewer = await api.person("viewer");
    const list = async (query: string) =>
      (
        (await api.ask(viewer, { path: `${operatorBase}/imports?${query}&limit=200` })).json as {
          imports: { id: string; stuck: { cause: string; waits_for: string } | null }[];
        }
      ).imports;
    const stuck = await list("stuck=true");
    expect(stuck.find(({ id }) => id === late)?.stuck).toMatchObject({ cause, waits_for: waitsFor });
    expect(stuck.map(({ id }) => id)).not.toContain(early);
    const others = (await list("stuck=false")).map(({ id }) => id);
    expect(others).toContain(early);
    expect(others).not.toContain(late);
    const shown = await api.ask(viewer, { path: `${operatorBase}/imports/${late}` });
    expect(shown.json).toMatchObject({ stuck: { cause } });
  },
);

test("a run that a person paused, one that is put off, and an import whose customer has not begun are not stuck", async () => {
  const paused = await plants.silent("1 day");
  await change("update runs set wanted = 'pause' where import_id = $1", paused);
  const { id: putOff } = await givenRun();
  await change(
    "update partitions set mark_at = now() - interval '2 hours', due_at = now() + interval '1 hour' where import_id = $1",
    putOff,
  );
  const { id: idle } = await api.givenImport(connected);
  await change("update imports set active_at = now() - interval '80 days' where id = $1", idle);
  expect([...(await findStuck(api.db, [paused, putOff, idle])).keys()]).toEqual([]);
});

test("the one cause in the answer is the one that has lasted longest", async () => {
  const id = await plants.failing("2 hours");
  await change("update partitions set due_at = now() - interval '10 minutes' where import_id = $1", id);
  expect((await findStuck(api.db, [id])).get(id)?.cause).toBe("failing");
});

test("an import is shown with its runs, partitions, lease, position and timeline, and without its link", async () => {
  const { id } = await givenRun();
  const operator = await api.person("operator");
  const paused = await api.ask(operator, {
    method: "POST",
    path: `${operatorBase}/imports/${id}/runs/pause`,
    body: { reason: "the customer called" },
  });
  expect(paused.status).toBe(200);
  const { json, text } = await api.ask(operator, { path: `${operatorBase}/imports/${id}` });
  expect(json).toMatchObject({
    id,
    live_run: "sample",
    runs: [
      { kind: "sample", state: "running", partitions: [{ stream: "tickets", position: '{"page": 7}' }] },
    ],
  });
  const { timeline, runs } = json as {
    timeline: { kind: string; what: string; by: string; reason: string | null }[];
    runs: { partitions: { lease_seconds: number }[] }[];
  };
  expect(runs[0]?.partitions[0]?.lease_seconds).toBeLessThanOrEqual(60);
  expect(timeline).toContainEqual(
    expect.objectContaining({
      kind: "staff",
      what: "pauseRun",
      by: "Jo operator",
      reason: "the customer called",
    }),
  );
  expect(timeline).toContainEqual(
    expect.objectContaining({ kind: "event", what: "pause_requested", by: `operator:${operator.id}` }),
  );
  const link = await api.ask(operator, { path: `${operatorBase}/imports/${id}/link` });
  const { redirect_url } = link.json as { redirect_url: string };
  expect(text).not.toContain(redirect_url.split("/").at(-1));
  // Who read the link is in the log.
  const { rows } = await api.db.pool.query(
    "select from staff_audit where action = 'showImportLink' and target_id = $1 and staff_id = $2 and not changes",
    [id, operator.id],
  );
  expect(rows).toHaveLength(1);
});

test("imports are found by every filter, in pages", async () => {
  const viewer = await api.person("viewer");
  const { id, partnerId } = await api.givenImport();
  const ids = async (query: string) =>
    (
      (await api.ask(viewer, { path: `${operatorBase}/imports?${query}` })).json as {
        imports: { id: string }[];
      }
    ).imports.map((each) => each.id);
  await change("update imports set reference = 'ws 1&2' where id = $1", id);
  await change("update imports set username_key = 'kim@acme.example' where id = $1", id);
  expect(await ids(`partner=${partnerId}`)).toEqual([id]);
  expect(await ids("reference=ws%201%262")).toEqual([id]);
  expect(await ids("destination_username=KIM%40acme.example")).toEqual([id]);
  expect(await ids("status=collecting_credentials")).toContain(id);
  expect(await ids("status=migration_cleaned")).toEqual([]);
  expect(await ids("tool=redmine&limit=200")).toContain(id);
  expect(await ids("tool=request-tracker&limit=200")).toContain(id);
  expect(await ids("tool=znuny")).toEqual([]);
  expect(await ids("family=helpdesk&limit=200")).toContain(id);
  expect(await ids("family=crm")).toEqual([]);
  expect(await ids("closed=true")).toEqual([]);
  expect(await ids("created_since=2026-01-01&limit=200")).toContain(id);
  expect(await ids("created_until=2026-01-01")).toEqual([]);
  const everything = await ids("limit=200");
  const paged: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const { json } = await api.ask(viewer, {
      path: `${operatorBase}/imports?tool=redmine&limit=3${next && `&before=${next}`}`,
    });
    const read = json as { imports: { id: string }[]; next: string | null };
    paged.push(...read.imports.map((each) => each.id));
    next = read.next;
  }
  expect(paged).toEqual(everything);
});
