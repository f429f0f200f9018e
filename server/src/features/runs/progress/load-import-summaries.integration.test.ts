import type { FamilyRecord, Outcome } from "@portage/connector-kit";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { progressOf, type RunProgress, type ImportSummary } from "./progress.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const counts = {
  users: 5,
  contacts: 30,
  tickets: 60,
  comments: 90,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};

const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 10,
  settles: "lookup",
}) as never;

const rejected = (code: string): Outcome => ({ kind: "rejected", code, message: "No." });

/** The state of the import, as every caller sees it. */
const ask = async (importId: string): Promise<ImportSummary> => {
  const standing = (await progressOf(fixture.db, [importId], { causes: true })).get(importId);
  if (!standing) throw new Error("There is no such import.");
  return standing;
};

test("a full with failures, a retry, a delta and an undo: the figures match the destination", async () => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100, latencyMs: 5 });
  const destination = await startStandIn({ seed: "destination", upserts: false, latencyMs: 5 });
  let heals = false;
  const picky = refusing(connector, (stream, record: FamilyRecord) => {
    if (heals || Number(record.id) > 7) return null;
    if (stream === "tickets") return rejected("too_large");
    return null;
  });
  const people = new Map([
    ["1", { kind: "person", id: "u1" }],
    ["2", { kind: "person", id: "u2" }],
    ["3", { kind: "none" }],
  ] as const);
  const one = await fixture.begin(
    { connector, tool: source },
    { connector: picky, tool: destination },
    { mapping: { personFor: ({ id }) => people.get(id as never) ?? { kind: "copy" } }, partitions: 3 },
  );
  expect(await ask(one.importId)).toMatchObject({
    items: {},
    people: { source: 0, destination: 0, matched: 0 },
    progress: null,
    findings: [],
  });

  const shown: RunProgress[] = [];
  const watch = async (work: Promise<void>) => {
    let going = true;
    void work.finally(() => (going = false));
    while (going) {
      const { progress } = await ask(one.importId);
      if (progress) shown.push(progress);
      await sleep(10);
    }
    await work;
  };
  await watch(one.run({ type: "full_started" }));
  const failedTickets = 7;
  const orphans = source.source.get("comments");
  if (!orphans) throw new Error("no comments");
  const full = await ask(one.importId);
  const lost = full.findings.find(({ code }) => code === "parent_missing")?.count ?? 0;
  expect(lost).toBeGreaterThan(0);
  expect(full).toMatchObject({
    status: "migration_completed",
    progress: null,
    people: { source: 5, matched: 2 },
    items: { users: 2, contacts: 30, tickets: 60 - failedTickets, comments: 90 - lost },
  });
  expect(full.findings).toEqual(
    expect.arrayContaining([
      { stream: "users", kind: "skipped", code: "user_unmatched", count: 1, examples: ["3"] },
      { stream: "tickets", kind: "failed", code: "too_large", count: 7, examples: ["1", "2", "3"] },
    ]),
  );
  expect(destination.stats().written).toBe(Object.values(full.items).reduce((a, b) => a + b, 0));

  // During the run: never decreasing, never more than there is, and the steps in order.
  expect(shown.length).toBeGreaterThan(5);
  const total = 5 + 30 + 60 + 90;
  for (const [index, progress] of shown.entries()) {
    expect(progress).toMatchObject({ phase: "full", state: "running" });
    expect(progress.done).toBeGreaterThanOrEqual(shown[index - 1]?.done ?? 0);
    expect(progress.done + progress.failed + progress.skipped).toBeLessThanOrEqual(
      Math.max(progress.total, 0),
    );
    if (progress.streams.length > 0) expect(progress.total).toBe(total);
  }
  const last = shown.at(-1);
  expect(last).toMatchObject({
    done: total - failedTickets - lost - 1,
    failed: 7,
    skipped: lost + 1,
    corrected: 0,
  });
  const steps = shown.map(({ step }) => step);
  expect(steps.indexOf("copy")).toBeLessThan(steps.indexOf("verify"));

  heals = true;
  shown.length = 0;
  await watch(one.run({ type: "retry_started", withinWindow: true }));
  expect(shown.at(-1)).toMatchObject({
    phase: "retry_failed",
    done: failedTickets + lost,
    failed: 0,
    total: failedTickets + lost,
  });
  const retried = await ask(one.importId);
  expect(retried.items).toEqual({ users: 2, contacts: 30, tickets: 60, comments: 90 });
  expect(retried.people).toMatchObject({ source: 5, matched: 2 });
  expect(retried.findings.filter(({ kind }) => kind !== "changed")).toEqual([
    expect.objectContaining({ code: "user_unmatched", count: 1 }),
  ]);
  // Records that pointed to the unmatched person now point to no one.
  expect(retried.findings).toContainEqual(
    expect.objectContaining({ stream: "tickets", kind: "changed", code: "field_cleared" }),
  );
  expect(destination.stats()).toMatchObject({ written: 182, duplicates: 0 });

  await one.run({ type: "delta_started", withinWindow: true });
  expect((await ask(one.importId)).items).toEqual(retried.items);
  expect((await ask(one.importId)).people).toEqual(retried.people);

  // A person edits a copy: it stays, and is reported.
  const [edited] = destination.written("tickets").all();
  if (!edited) throw new Error("no ticket was written");
  destination
    .written("tickets")
    .write({ ...edited, record: { ...edited.record, subject: "Mine now" } } as never);
  shown.length = 0;
  await watch(one.run({ type: "undo_started" }));
  const removed = shown.at(-1);
  expect(removed).toMatchObject({ phase: "undo", step: "remove", total: 182 });
  expect((removed?.done ?? 0) + (removed?.skipped ?? 0)).toBe(182);
  const undone = await ask(one.importId);
  expect(undone).toMatchObject({
    status: "migration_cleaned",
    items: { tickets: 1 },
    people: { source: 5, matched: 2 },
  });
  // The people that the ticket points to stay with it.
  expect(Object.values(undone.items).reduce((sum, each) => sum + each, 0)).toBe(removed?.skipped);
  expect(undone.findings).toContainEqual(
    expect.objectContaining({ stream: "tickets", kind: "kept", code: "edited_since", count: 1 }),
  );
  expect(new Set(undone.findings.map(({ code }) => code))).toEqual(
    new Set(["edited_since", ...(removed?.skipped === 1 ? [] : ["holds_kept_records"])]),
  );
});

test("a write without an answer was never counted, so removing it does not lower the count", async () => {
  const source = await startStandIn({
    counts: { ...counts, users: 0, contacts: 0, comments: 0 },
    hostile: false,
    largeText: 100,
  });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const picky = refusing(connector, (_, { id }) => (Number(id) <= 5 ? rejected("too_large") : null));
  const one = await fixture.begin({ connector, tool: source }, { connector: picky, tool: destination });
  await one.run({ type: "full_started" });
  expect((await ask(one.importId)).items).toEqual({ tickets: 55 });
  await fixture.db.pool.query("update ledger set reason = 'in_doubt' where import_id = $1 and state = 4", [
    one.importId,
  ]);
  const [edited] = destination.written("tickets").all();
  if (!edited) throw new Error("no ticket was written");
  destination
    .written("tickets")
    .write({ ...edited, record: { ...edited.record, subject: "Mine now" } } as never);
  await one.run({ type: "undo_started" });
  expect(destination.stats().written).toBe(1);
  expect((await ask(one.importId)).items).toEqual({ tickets: 1 });
  await Promise.all([source.close(), destination.close()]);
});

test("a sample shows its size once chosen, and one query covers many imports", async () => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  const begun = await Promise.all(
    [1, 2].map(async () => {
      const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
      await fixture.db.pool.query(
        "update imports set status = 'waiting_for_sample', start_full = false where id = $1",
        [one.importId],
      );
      return one;
    }),
  );
  const totals: number[] = [];
  const [first, second] = begun;
  if (!first || !second) throw new Error("nothing was begun");
  await first.run({ type: "sample_started" });
  const work = second.run({ type: "sample_started" });
  let going = true;
  void work.finally(() => (going = false));
  while (going) {
    const all = await progressOf(fixture.db, [...begun.map(({ importId }) => importId), "imp_none"]);
    expect([...all.keys()].toSorted()).toEqual(begun.map(({ importId }) => importId).toSorted());
    expect(all.get(first.importId)).toMatchObject({ status: "sample_completed", progress: null });
    const progress = all.get(second.importId)?.progress;
    if (progress?.phase === "sample" && progress.step !== "prepare" && progress.step !== "choose")
      totals.push(progress.total);
    await sleep(5);
  }
  await work;
  const { rows } = await fixture.db.pool.query<{ n: number }>(
    "select count(*)::int as n from sample_records where import_id = $1",
    [second.importId],
  );
  expect(totals.length).toBeGreaterThan(0);
  expect(new Set(totals)).toEqual(new Set([rows[0]?.n]));
  await Promise.all([source.close(), destination.close()]);
});
