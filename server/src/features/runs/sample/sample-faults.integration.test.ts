import type { FamilyRecord } from "@portage/connector-kit";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSampleFixture } from "../../../../../test/runs/sample-fixture.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";
import { withPatchedPool } from "../../../../../test/support/patched-pool.ts";
import type { Database } from "../../../platform/db.ts";
import { moveImport } from "../../imports/index.ts";
import { createAddToSample, eraseOldSamples } from "../index.ts";
import type { Lease } from "../chunk/lease.ts";
import { newWork } from "./choose-work.ts";
import { type ResultToSave, saveResults } from "./store-results.ts";
import { loadWork, replaceSample, saveWork } from "./store-review.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

const bounds = {
  chosen: 5,
  candidates: 60,
  peeked: 5,
  searched: 1_000,
  childrenPerParent: 200,
  records: 500,
};
const small = { sampleBounds: bounds };

test("lost answers lose nothing of the review", async () => {
  const faults = { errorAfterWrite: 0.4, resetAfterWrite: 0.2, lateEffect: 0.1, lateEffectMs: 100 };
  const one = await fixture.begin({ hostile: false }, {}, small, { faults });
  await one.run({ type: "sample_started" });
  expect(await one.status()).toBe("sample_completed");
  expect(one.destination.stats().faults).toBeGreaterThan(1);
  expect(one.destination.stats()).toMatchObject({ duplicates: 0 });
  const sampled = await one.sampled();
  for (const stream of new Set(sampled.map((each) => each.stream))) {
    const results = await one.results(stream);
    expect(results.map(({ sourceId }) => sourceId)).toEqual(
      sampled.filter((each) => each.stream === stream).map(({ id }) => id),
    );
    for (const { state, source, written, destination } of results) {
      expect(state).toBe("written");
      expect([source, written, destination].every(Boolean), stream).toBe(true);
      const { id: _, ...now } = one.destination.written(stream).get(destination?.id ?? "")?.record ?? {
        id: "",
      };
      expect(destination).toMatchObject(now);
    }
  }
});

/** Breaks the connection when the first page of tickets is settled: all of it is written by then. */
const losing = (stream: string) => {
  let lost = 0;
  const database = (db: Database): Database => {
    const query = (asked: { name?: string; values?: unknown[] }, ...rest: unknown[]) => {
      const { name = "", values = [] } = asked;
      const rows = values[8] as readonly string[];
      if (name.startsWith("settle-") && values[4] === stream && rows.length > 0 && lost === 0) {
        lost += 1;
        return Promise.reject(new Error("Connection terminated"));
      }
      return Reflect.apply(db.pool.query, db.pool, [asked, ...rest]) as unknown;
    };
    return withPatchedPool(db, { query });
  };
  return { database, lost: () => lost };
};

test("what is lost between a write and its settlement is in the review, with all reasons", async () => {
  const { database, lost } = losing("tickets");
  const one = await fixture.begin({ hostile: false }, {}, { ...small, database });
  const odd = { subject: "x".repeat(300), customFields: { rare: "yes" } } as Partial<FamilyRecord>;
  one.source.source.get("tickets")?.update("1", odd);
  await one.run({ type: "sample_started" });
  expect(lost()).toBe(1);
  expect(await one.status()).toBe("sample_completed");
  expect(one.destination.stats()).toMatchObject({ duplicates: 0 });
  const results = await one.results("tickets");
  expect(results.find(({ sourceId }) => sourceId === "1")).toMatchObject({
    state: "written",
    changes: [{ field: "subject", change: "truncated" }],
  });
  expect(results.every(({ destination }) => destination !== null)).toBe(true);
});

test("skipped, matched and found people are in the review, with the reason", async () => {
  const mapping = {
    ...asItIs,
    personFor: ({ id }: { id: string }) =>
      id === "1" ? ({ kind: "none" } as const) : ({ kind: "person", id: "77" } as const),
  };
  const one = await fixture.begin({ hostile: false }, {}, { ...small, mapping: () => mapping });
  await one.run({ type: "sample_started" });
  const users = await one.results("users");
  expect(users.length).toBeGreaterThan(1);
  for (const { sourceId, state, reason, source, changes } of users) {
    expect(source?.id).toBe(sourceId);
    expect(changes).toEqual([]);
    expect([state, reason]).toEqual(sourceId === "1" ? ["skipped", "user_unmatched"] : ["matched", null]);
  }
  const cleared = (await one.results("tickets")).filter(
    ({ source }) => (source as unknown as { assignee: { id: string } | null }).assignee?.id === "1",
  );
  for (const { changes, destination } of cleared) {
    expect(destination).toMatchObject({ assignee: { id: null } });
    expect(changes).toContainEqual({
      field: "assignee",
      change: "cleared",
      why: "What it pointed to was not copied.",
    });
  }
});

test("a source that fails again and again gives the same sample", async () => {
  const sampleOf = async (faults: object) => {
    const one = await fixture.begin({ hostile: false, faults }, {}, { ...small, pagesPerChunk: 5 });
    await one.run({ type: "sample_started" });
    return {
      sampled: await one.sampled(),
      coverage: await one.coverage(),
      faults: one.source.stats().faults,
    };
  };
  const calm = await sampleOf({});
  const shaken = await sampleOf({ error: 0.2 });
  expect(shaken.faults).toBeGreaterThan(5);
  expect(shaken.sampled).toEqual(calm.sampled);
  expect(shaken.coverage).toEqual(calm.coverage);
});

test("a source that is down is called with increasing backoff", async () => {
  const one = await fixture.begin({ faults: { error: 1 } }, {}, small);
  await one.move({ type: "sample_started" });
  const { signal } = new AbortController();
  let [next] = await one.dispatch();
  const delays: number[] = [];
  // Replaces the first task, which would fail before it.
  await fixture.db.pool.query(`update partitions set task = 'choose' where import_id = $1`, [one.importId]);
  for (let round = 0; round < 4 && next; round += 1) {
    [next] = (await one.runs.workChunk(next, { signal })).send;
    delays.push(next?.delayMs ?? 0);
  }
  expect(delays[3] ?? 0).toBeGreaterThan((delays[0] ?? 0) * 3);
});

test("a stop takes effect between two chunks of the choice; nothing is added meanwhile", async () => {
  const one = await fixture.begin({}, {}, { ...small, pagesPerChunk: 1 });
  await one.move({ type: "sample_started" });
  const [first] = await one.dispatch();
  if (!first) throw new Error("Nothing was sent.");
  const { signal } = new AbortController();
  const [choose] = (await one.runs.workChunk(first, { signal })).send;
  if (!choose) throw new Error("Nothing was sent.");
  const [next] = (await one.runs.workChunk(choose, { signal })).send;
  if (!next) throw new Error("Nothing was sent.");
  const add = createAddToSample({ db: fixture.db, openSide: one.openSide });
  const added = { importId: one.importId, family: "helpdesk", includes: () => true } as const;
  expect(await add({ ...added, url: `${one.source.url}/show/tickets/9` }, signal)).toEqual({ kind: "busy" });
  await one.move({ type: "stop_requested" });
  await one.dispatch();
  await one.work([next]);
  expect(await one.status()).toBe("waiting_for_sample");
  expect(one.destination.stats().written).toBe(0);
});

test("an attempt that lost the partition changes neither the choice nor the results", async () => {
  const one = await fixture.begin({ hostile: false }, {}, small);
  await one.run({ type: "sample_started" });
  const row = (await one.partitions()).find(({ task }) => task === "choose") as Record<string, never>;
  const lease = {
    runId: row.run_id,
    partition: row.no,
    importId: one.importId,
    runNumber: 1,
    stream: "tickets",
  } as unknown as Lease;
  const before = await one.sampled();
  const results = await one.results("tickets");
  const nothing = { records: [], coverage: { chosen: [], seen: 0, missed: [], limits: [] } };
  const content = {
    source: null,
    written: null,
    destination: null,
    changes: [],
    sourceUrl: null,
    destinationUrl: null,
    message: null,
    shortened: [],
  };
  const result = {
    sourceId: results[0]?.sourceId ?? "",
    state: "failed" as const,
    reason: null,
    destId: null,
    parent: null,
    runNumber: 9,
    content,
  } satisfies ResultToSave;
  const times = { leaseMs: 1_000, writeMs: 1_000 };
  const { db, sealer } = fixture;
  for (const [token, held] of [
    [randomUUID(), false],
    [String(row["lease_token"]), true],
  ] as const) {
    const at = { ...lease, token };
    expect(await saveWork(db, sealer, at, newWork(1), times)).toBe(held);
    expect((await loadWork(db, sealer, at)) !== null).toBe(held);
    expect(await saveResults(db, sealer, at, [result])).toBe(held);
    if (!held) expect(await one.results("tickets")).toEqual(results);
    expect(await replaceSample(db, sealer, at, nothing)).toBe(held);
    expect(await one.sampled()).toEqual(held ? [] : before);
  }
  expect(await one.results("tickets")).toEqual([]);
});

const reviews = async (importId: string) => {
  const { rows } = await fixture.db.pool.query<{ reviews: number; results: number }>(
    `select (select count(*) from sample_reviews where import_id = $1)::int as reviews,
       (select count(*) from sample_results where import_id = $1)::int as results`,
    [importId],
  );
  return rows[0];
};

test("a review's content is erased with the sign-ins, and by retention", async () => {
  const closing = await fixture.begin({ hostile: false }, {}, small);
  await closing.run({ type: "sample_started" });
  const ageing = await fixture.begin({ hostile: false }, {}, small);
  await ageing.run({ type: "sample_started" });
  expect((await reviews(closing.importId))?.results).toBeGreaterThan(10);
  const { importId } = closing;
  await moveImport(
    fixture.db,
    { type: "cancelled" },
    { importId, partnerId: null, actor: { kind: "customer" } },
  );
  expect(await reviews(importId)).toEqual({ reviews: 0, results: 0 });
  expect(await closing.coverage()).toBeUndefined();

  expect(await eraseOldSamples(fixture.db, 30)).toBe(0);
  expect((await reviews(ageing.importId))?.results).toBeGreaterThan(10);
  await fixture.db.pool.query(
    "update sample_reviews set made_at = now() - interval '31 days' where import_id = $1",
    [ageing.importId],
  );
  expect(await eraseOldSamples(fixture.db, 30)).toBe(1);
  expect(await reviews(ageing.importId)).toEqual({ reviews: 0, results: 0 });
});
