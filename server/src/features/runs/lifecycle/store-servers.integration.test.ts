import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { type Lease, noCounts } from "../chunk/lease.ts";
import { handOver, renewLease, takeLease, touchLease } from "../chunk/store-lease.ts";
import { claim } from "../ledger/store-claim.ts";
import { settle } from "../ledger/store-settle.ts";
import type { ChunkToSend } from "../run.ts";
import { markSwept } from "../ledger/store-sweep.ts";
import { endPartition } from "./store-partition-end.ts";
import { recognizeServer } from "./store-servers.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
let tool: StandIn;
beforeAll(async () => {
  fixture = await createRunsFixture();
  tool = await startStandIn({ hostile: false });
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.db.pool.query("update runs set ended_at = now(), state = 'stopped' where ended_at is null");
});

const times = { leaseMs: 60_000, writeMs: 30_000 };
const batch = { ids: ["1"], hashes: ["00".repeat(16)], parents: [""], targets: [] };
const settlement = { rows: [], counts: noCounts, tallies: {}, inDoubt: null };

const begin = async () => {
  const connector = standInConnector({ family: "helpdesk", paging: "keyset" }) as never;
  const one = await fixture.begin({ connector, tool }, { connector, tool });
  await one.move({ type: "full_started" });
  const [chunk] = await one.dispatch();
  return { ...one, chunk: chunk as ChunkToSend };
};

const take = async (chunk: ChunkToSend) => (await takeLease(fixture.db, chunk, times)) as Lease;

/** As if the database had come here from another server. */
const move = (column: "timeline" | "system_identifier") =>
  fixture.db.pool.query(
    `update database_servers set ${column} = ${column} + 1 where no = (select max(no) from database_servers)`,
  );

const runRow = async (runId: string) => {
  const { rows } = await fixture.db.pool.query<{ looksFrom: number | null; server: number }>(
    `select looks_from as "looksFrom", server from runs where id = $1`,
    [runId],
  );
  return rows[0];
};

test("a known server is recognized without an effect", async () => {
  const { chunk } = await begin();
  const lease = await take(chunk);
  expect(await recognizeServer(fixture.db, chunk)).toBeUndefined();
  expect(lease.looksFrom).toBeNull();
  expect(await settle(fixture.db, lease, settlement, times)).toBe(true);
});

test.each([
  ["a promoted standby or a restored backup", "timeline"],
  ["a database that was dumped and loaded", "system_identifier"],
] as const)("%s fences every attempt, before it is recognized and afterwards", async (_, column) => {
  const { chunk } = await begin();
  const lease = await take(chunk);
  const { db } = fixture;
  const swept = { ids: [], cursor: null, tallies: {} };
  const held = async () => [
    (await claim(db, lease, batch, times)) !== undefined,
    await settle(db, lease, settlement, times),
    await touchLease(db, lease, times),
    (await markSwept(db, lease, swept, times)) !== undefined,
    (await handOver(db, lease, { delayMs: 0, failed: false, leaseMs: 1 })) !== undefined,
  ];
  expect(await held()).toEqual([true, true, true, true, true]);
  expect(await claim(db, lease, batch, times)).toBeDefined();
  expect(await renewLease(db, lease, times)).toBe(true);
  await move(column);
  const fenced = [false, false, false, false, false];
  expect(await held()).toEqual(fenced);
  expect(await renewLease(db, lease, times)).toBe(false);
  expect(await endPartition(db, lease, { as: "done", leaseMs: 1 })).toEqual({ kind: "fenced" });
  expect(await take(chunk)).toBeUndefined();
  // Several processes notice it, and one of them recognizes it.
  const all = await Promise.all([1, 2, 3].map(() => recognizeServer(db)));
  expect(all.filter((each) => each !== undefined)).toMatchObject([{ runs: 1 }]);
  expect(await held()).toEqual(fenced);
  expect(await renewLease(db, lease, times)).toBe(false);
  expect(await endPartition(db, lease, { as: "done", leaseMs: 1 })).toEqual({ kind: "fenced" });
});

test("after a loss the chunk is sent anew with a generation far from the lost ones, and waits for late writes", async () => {
  const { chunk, runs } = await begin();
  await take(chunk);
  await move("timeline");
  const { signal } = new AbortController();
  const [sent] = (await runs.workChunk(chunk, { signal })).send;
  expect(sent?.generation).toBeGreaterThan(chunk.generation);
  const [delayed] = (await runs.workChunk(sent as ChunkToSend, { signal })).send;
  // The write deadline of the fixture is 1,500 ms, to which the tool's grace is added.
  expect(delayed?.delayMs).toBeGreaterThan(1_000);
  expect(await runRow(chunk.runId)).toMatchObject({ looksFrom: 1 });
  expect(await runs.workChunk(chunk, { signal })).toMatchObject({
    send: [{ generation: delayed?.generation }],
  });
});

test("a chunk from a time that the database does not know shows a loss", async () => {
  const { chunk } = await begin();
  const lease = await take(chunk);
  const later = { ...chunk, generation: chunk.generation + 3 };
  expect(await recognizeServer(fixture.db, later)).toMatchObject({ runs: 1 });
  expect(await settle(fixture.db, lease, settlement, times)).toBe(false);
  expect(await runRow(chunk.runId)).toMatchObject({ looksFrom: 1 });
  expect(await recognizeServer(fixture.db, later)).toBeUndefined();
});

test("later runs of an import look up as well, until one of them has covered everything", async () => {
  const old = await begin();
  const end = (state: string, kind: string) =>
    fixture.db.pool.query(
      "update runs set ended_at = now(), state = $2, kind = $3 where import_id = $1 and ended_at is null",
      [old.importId, state, kind],
    );
  let outboxId = 1_000_000;
  const start = async () => {
    outboxId += 1;
    const [chunk] = await old.runs.startRun({ importId: old.importId, kind: "full", causes: null, outboxId });
    return (await runRow(chunk?.runId ?? ""))?.looksFrom;
  };
  await end("done", "full");
  expect(await start()).toBeNull();
  await end("done", "full");
  await move("timeline");
  await recognizeServer(fixture.db);
  // The second run was the last one that survived.
  expect(await start()).toBe(2);
  await end("stopped", "full");
  expect(await start()).toBe(2);
  await end("done", "sample");
  expect(await start()).toBe(2);
  await end("done", "full");
  expect(await start()).toBeNull();
  const young = await begin();
  expect((await runRow(young.chunk.runId))?.looksFrom).toBe(1);
  await fixture.db.pool.query("update database_servers set recognized_at = now() - interval '1 hour'");
  const younger = await begin();
  expect((await runRow(younger.chunk.runId))?.looksFrom).toBeNull();
});
