import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  copiesIn,
  createSampleFixture,
  sampleCounts as counts,
} from "../../../../../test/runs/sample-fixture.ts";
import type { RunMapping } from "../chunk/chunk-context.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

test("a sample copies about twenty tickets with all that they need and all their parts", async () => {
  const one = await fixture.begin({ largeText: 60_000 });
  await one.run({ type: "sample_started" });
  expect(await one.status()).toBe("sample_completed");
  const sampled = await one.sampled();
  const ids = (stream: string) => sampled.filter((each) => each.stream === stream).map(({ id }) => id);
  const chosen = sampled.filter(({ why }) => why === "chosen");
  expect(chosen.length).toBeLessThanOrEqual(20);
  expect(chosen.filter(({ stream }) => stream === "tickets").length).toBeGreaterThan(10);

  const tickets = new Set(chosen.filter(({ stream }) => stream === "tickets").map(({ id }) => id));
  const all = one.source.source.get("comments")?.after(0, 10_000, () => true) ?? [];
  const theirs = all.filter((each) => tickets.has((each as unknown as { ticketId: string }).ticketId));
  expect(theirs.length).toBeGreaterThan(5);
  expect(ids("comments")).toEqual(expect.arrayContaining(theirs.map(({ id }) => id)));
  for (const stream of Object.keys(counts))
    expect(copiesIn(one.destination, stream).length, stream).toBe(ids(stream).length);

  // No reference in the copies is broken.
  for (const { record } of copiesIn(one.destination, "tickets")) {
    const { assignee, groupId, organizationId } = record as unknown as Record<
      string,
      { id: string } | string
    >;
    for (const [stream, id] of [
      ["users", (assignee as { id: string } | null)?.id],
      ["groups", groupId as string | null],
      ["organizations", organizationId as string | null],
    ] as const)
      if (id != null) expect(one.destination.written(stream).get(id), `${stream} ${id}`).not.toBeNull();
  }
  const coverage = await one.coverage();
  expect(coverage?.missed).toEqual([]);
  expect(coverage?.seen).toBeGreaterThan(40);
  expect(coverage?.limits).toContainEqual({ kind: "looked_at", stream: "tickets", records: 300 });
  expect(one.destination.stats()).toMatchObject({ duplicates: 0, mails: 0 });
});

test("the same source gives the same sample, in one chunk or in many, however its parts can be read", async () => {
  const sampleOf = async (...args: Parameters<typeof fixture.begin>) => {
    const one = await fixture.begin(...args);
    await one.run({ type: "sample_started" });
    const made = (await one.partitions()).find(({ task }) => task === "choose") as { generation: number };
    return { sampled: await one.sampled(), coverage: await one.coverage(), generation: made.generation };
  };
  const whole = await sampleOf({}, {}, { pagesPerChunk: 10_000 });
  const pieces = await sampleOf({}, {}, { pagesPerChunk: 2 });
  expect(whole.generation).toBe(1);
  expect(pieces.generation).toBeGreaterThan(5);
  expect(pieces.sampled).toEqual(whole.sampled);
  expect(pieces.coverage).toEqual(whole.coverage);
});

test.each([
  ["read per ticket", { perParent: { comments: "tickets" } }],
  ["that can only be searched", { byParents: false }],
  ["of a tool that can be read in parts", { slices: true }],
])("comments %s are all in the sample", async (_, connecting) => {
  const one = await fixture.begin({}, connecting);
  await one.run({ type: "sample_started" });
  const sampled = await one.sampled();
  const tickets = sampled.filter(({ stream, why }) => stream === "tickets" && why === "chosen");
  const all = one.source.source.get("comments")?.after(0, 10_000, () => true) ?? [];
  const wanted = all.filter((each) =>
    tickets.some(({ id }) => id === (each as unknown as { ticketId: string }).ticketId),
  );
  const there = new Set(sampled.filter(({ stream }) => stream === "comments").map(({ id }) => id));
  expect(wanted.filter(({ id }) => !there.has(id))).toEqual([]);
  expect(await one.status()).toBe("sample_completed");
});

test("an unfinished search, and a cut thread, are reported", async () => {
  const bounds = {
    chosen: 5,
    candidates: 50,
    peeked: 10,
    searched: 300,
    childrenPerParent: 1,
    records: 1_000,
  };
  const one = await fixture.begin({}, { byParents: false }, { sampleBounds: bounds });
  await one.run({ type: "sample_started" });
  const limits = (await one.coverage())?.limits ?? [];
  expect(limits).toContainEqual({ kind: "searched", stream: "comments", records: 300 });
  expect(limits.some(({ kind }) => kind === "cut")).toBe(true);
  const perTicket = Map.groupBy(
    await one.results("comments"),
    ({ source }) => (source as unknown as { ticketId: string }).ticketId,
  );
  expect(Math.max(...[...perTicket.values()].map((each) => each.length))).toBe(1);
});

test("a sample leaves out records that are not selected", async () => {
  const isOdd = (id: string) => Number(id) % 2 === 1;
  const isSelected: RunMapping["isSelected"] = (stream, record) =>
    stream.name !== "tickets" || isOdd(record.id);
  const one = await fixture.begin({}, {}, { mapping: { isSelected } });
  await one.run({ type: "sample_started" });
  const chosen = (await one.sampled()).filter(({ stream, why }) => stream === "tickets" && why === "chosen");
  expect(chosen.length).toBeGreaterThan(10);
  for (const { id } of chosen) expect(isOdd(id), id).toBe(true);
});
