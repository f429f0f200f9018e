import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { type Lease, noCounts } from "../chunk/lease.ts";
import { progressOf } from "../progress/progress.ts";
import { takeLease } from "../chunk/store-lease.ts";
import { markRows, markSwept } from "./store-sweep.ts";
import { settle } from "./store-settle.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
let tool: StandIn;
beforeAll(async () => {
  fixture = await createRunsFixture();
  tool = await startStandIn();
});
afterAll(async () => {
  await tool.close();
  await fixture.drop();
});

const times = { leaseMs: 60_000, writeMs: 30_000 };

/** A partition at work, whose clock a test can move. */
const partition = async (task: "copy" | "sweep", expected: number) => {
  const connector = standInConnector({ family: "helpdesk", paging: "keyset" }) as never;
  const one = await fixture.begin({ connector, tool }, { connector, tool });
  await one.move({ type: "full_started" });
  const [chunk] = await one.dispatch();
  if (!chunk) throw new Error("nothing was dispatched");
  const { pool } = fixture.db;
  await pool.query(
    "update partitions set task = $2, stream = 'tickets', expected = $3, step = 1 where run_id = $1",
    [chunk.runId, task, expected],
  );
  const lease = (await takeLease(fixture.db, chunk, times)) as Lease;
  const settled = (read: number) =>
    settle(fixture.db, lease, { rows: [], counts: { ...noCounts, read }, tallies: {}, inDoubt: null }, times);
  /** Pretends that this many seconds have passed. */
  const pass = (seconds: number) =>
    pool.query(
      "update partitions set mark_at = mark_at - $2 * interval '1 s', before_at = before_at - $2 * interval '1 s' where run_id = $1",
      [chunk.runId, seconds],
    );
  const shown = async () => {
    const progress = (await progressOf(fixture.db, [one.importId])).get(one.importId)?.progress;
    if (!progress) throw new Error("no progress");
    return progress;
  };
  return { ...one, lease, settled, pass, shown };
};

test("the speed is that of the last minute or two, not since the start", async () => {
  const { settled, pass, shown } = await partition("copy", 100_000);
  await settled(0);
  expect((await shown()).perMinute).toBeNull();
  // Fast for an hour, …
  for (let minute = 0; minute < 60; minute += 1) {
    await pass(61);
    await settled(600);
  }
  expect((await shown()).perMinute).toBeGreaterThan(560);
  expect((await shown()).perMinute).toBeLessThan(640);
  // … then slow: after two minutes nothing is left of the previous speed.
  for (let minute = 0; minute < 3; minute += 1) {
    await pass(61);
    await settled(60);
  }
  const slow = await shown();
  expect(slow.perMinute).toBeGreaterThan(50);
  expect(slow.perMinute).toBeLessThan(70);
  expect(slow.etaSeconds).toBeGreaterThan(3_000);
});

test("after a night's pause it starts over, and a standstill has no speed", async () => {
  const { settled, pass, shown } = await partition("copy", 10_000);
  await settled(0);
  for (let minute = 0; minute < 3; minute += 1) {
    await pass(61);
    await settled(600);
  }
  await pass(9 * 3_600);
  expect(await shown()).toMatchObject({ perMinute: null, etaSeconds: null });
  await settled(100);
  expect((await shown()).perMinute).toBeNull();
  await pass(30);
  await settled(300);
  const fresh = await shown();
  expect(fresh.perMinute).toBeGreaterThan(500);
  expect(fresh.perMinute).toBeLessThan(700);
});

test("a sweep keeps its pace as well, and reports what the ledger does not know", async () => {
  const one = await partition("sweep", 1_000);
  const { lease } = one;
  await fixture.db.pool.query(
    `insert into ${lease.leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number)
     select $1, 'tickets', n::text, 1, 1, 0, 1 from generate_series(1, 100) n`,
    [one.importId],
  );
  const swept = (ids: readonly string[], tallies = {}) =>
    markSwept(fixture.db, lease, { ids, cursor: null, tallies }, times);
  expect(await swept(["1", "2", "2"])).toEqual({ marked: 2, unaccounted: 0 });
  expect(await swept(["2", "3", "lost", "lost"], { "count|other": 1 })).toEqual({
    marked: 1,
    unaccounted: 1,
  });
  const { rows } = await fixture.db.pool.query(
    "select read, tallies, mark_at is not null as marked from partitions where run_id = $1",
    [lease.runId],
  );
  expect(rows).toEqual([{ read: 3, tallies: { "count|other": 1, "count|unaccounted": 1 }, marked: true }]);
  expect(await swept(["gone too"], { "count|unaccounted": 1 })).toEqual({ marked: 0, unaccounted: 1 });
  await one.pass(60);
  await swept(Array.from({ length: 60 }, (_, index) => String(index + 10)));
  expect((await one.shown()).step).toBe("sweep");
  // An attempt that lost the partition changes nothing.
  expect(
    await markSwept(
      fixture.db,
      { ...lease, token: randomUUID() },
      { ids: ["99"], cursor: null, tallies: {} },
      times,
    ),
  ).toBeUndefined();
  const met = async (token: string) => {
    await markRows(fixture.db, { ...lease, token }, { ids: ["99"], mark: -5 });
    const { rows: found } = await fixture.db.pool.query(
      `select swept from ${lease.leaf} where import_id = $1 and source_id = '99'`,
      [one.importId],
    );
    return (found as { swept: number | null }[])[0]?.swept;
  };
  expect([await met(randomUUID()), await met(lease.token)]).toEqual([null, -5]);
});
