import type { DestinationStream, FamilyRecord, Io, SourceStream, Write } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, afterEach, expect, test } from "vitest";
import { startStandInProcess, type StandInProcess } from "../../support/stand-in-process.ts";
import { standInConnector } from "./connector.ts";
import type { DumpedRow } from "./control-client.ts";
import type { StandInConnectorOptions, StandInSettings } from "./connector-options.ts";
import type { StandInOptions } from "./options.ts";

const transport = createPlainTransport();
afterAll(() => transport.close());
const running: StandInProcess[] = [];
afterEach(async () => {
  for (const tool of running.splice(0)) await tool.stop();
});

const counts = { users: 3, contacts: 10, organizations: 2, groups: 2, tickets: 60, comments: 90 };

const start = async (
  options: Partial<StandInOptions> = {},
  connecting: Partial<StandInConnectorOptions> = {},
  answerMs = 5_000,
) => {
  const tool = await startStandInProcess({ counts, largeText: 0, hostile: false, ...options });
  running.push(tool);
  const connector = standInConnector({ family: "helpdesk", paging: "keyset", ...connecting });
  const ioWith = (token: string): Io<StandInSettings> =>
    createTestIo({
      manifest: connector.manifest,
      settings: { instanceUrl: tool.url, token },
      transport,
      retry: { firstDelayMs: 5, attempts: 2 },
      answerMs,
    });
  const stream = (name: string) => ({
    from: connector.source?.helpdesk?.find((each) => each.stream.name === name) as SourceStream<
      FamilyRecord,
      StandInSettings
    >,
    to: connector.destination?.helpdesk?.find((each) => each.stream.name === name) as DestinationStream<
      FamilyRecord,
      StandInSettings
    >,
  });
  return { tool, io: ioWith(tool.token), ioWith, ...stream("tickets"), stream };
};

type Started = Awaited<ReturnType<typeof start>>;

const writesOf = (records: readonly FamilyRecord[]): Write<FamilyRecord>[] =>
  records.map((record) => ({ key: `k-${record.id}`, record, id: null }));

/** A naive copy of a stream, without any check. */
const copy = async ({ io, stream }: Started, name = "tickets") => {
  const { from, to } = stream(name);
  const { records } = await from.readPage(io, { cursor: null, since: null, parentId: null });
  return to.write(io, writesOf(records));
};

test("compares an exact copy as equal; names missing, doubled, gone, stale and differing rows", async () => {
  const started = await start({}, { settles: "lookup" });
  const { tool, io, to, from } = started;
  await copy(started);
  const exact = { source: 60, written: 60, missing: 0, doubled: 0, gone: 0, stale: 0, differing: 0 };
  expect((await tool.control.compare()).tickets).toMatchObject(exact);

  const [first, second] = await from.readByIds(io, ["1", "2"]);
  if (!first || !second) throw new Error("rows");
  await to.write(io, writesOf([first]));
  const ids = (await to.find(io, [{ key: "k-2", since: new Date(0) }])).get("k-2") ?? [];
  await to.remove?.(io, [{ id: ids[0] ?? "", key: "k-2" }]);
  await to.write(io, [{ key: "k-x", record: { ...second, id: "3" }, id: null }]);
  await tool.control.updateRows("tickets", ["4"]);
  await tool.control.removeRows("tickets", ["5"]);
  const { tickets } = await tool.control.compare();
  expect(tickets).toMatchObject({
    source: 59,
    written: 61,
    missing: 1,
    missingIds: ["2"],
    gone: 1,
    stale: 2,
  });
  expect(tickets).toMatchObject({ doubled: 2, doubledIds: ["1", "3"] });
});

test("does not miss rows that came after a moment", async () => {
  const started = await start();
  await copy(started);
  const before = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { added } = await started.tool.control.change("tickets", { add: 2 });
  expect(added).toEqual(["61", "62"]);
  expect((await started.tool.control.compare(before)).tickets?.missing).toBe(0);
  expect((await started.tool.control.compare()).tickets?.missingIds).toEqual(["61", "62"]);
});

test("reports a row copied under another id as differing", async () => {
  const { tool, io, from, to } = await start();
  const [one, two] = await from.readByIds(io, ["1", "2"]);
  if (!one || !two) throw new Error("rows");
  await to.write(io, [{ key: "k-1", record: { ...two, id: "1", updatedAt: one.updatedAt }, id: null }]);
  expect((await tool.control.compare()).tickets).toMatchObject({
    stale: 0,
    differing: 1,
    differingIds: ["1"],
  });
});

test("applies half a batch, then resets the connection", async () => {
  const started = await start({}, { settles: "lookup" });
  await started.tool.control.setWeather({ faults: { partial: 1 } });
  const outcomes = await copy(started);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["unknown"]));
  expect((await started.tool.control.stats()).happened).toEqual({ partial: 1 });
  expect((await started.tool.control.compare()).tickets).toMatchObject({ written: 30, missing: 30 });
});

test("applies a write whose sender gave up while the tool was slow", async () => {
  const started = await start({ latencyMs: 6_000 }, { settles: "lookup" }, 2_000);
  const { tool, io, to, from } = started;
  await tool.control.setWeather({ latencyMs: 0 });
  const records = await from.readByIds(io, ["1", "2", "3"]);
  await tool.control.setWeather({ latencyMs: 6_000 });
  expect((await to.write(io, writesOf(records)))[0]?.kind).toBe("unknown");
  expect((await tool.control.stats()).written).toBe(0);
  await expect.poll(async () => (await tool.control.stats()).written).toBe(3);
});

test("reports late writes until they have taken effect", async () => {
  const started = await start({ faults: { lateEffect: 1, lateEffectMs: 3_000 } }, { settles: "lookup" });
  await copy(started);
  expect(await started.tool.control.stats()).toMatchObject({ lateWrites: 1, written: 0 });
  await expect.poll(() => started.tool.control.stats()).toMatchObject({ lateWrites: 0, written: 60 });
});

test("applies no write later than declared", async () => {
  const faults = { lateEffect: 1, lateEffectMs: 300 };
  const started = await start({ faults, lateWriteMs: 200 }, { settles: "lookup" });
  await copy(started);
  await new Promise((resolve) => setTimeout(resolve, 350));
  expect(await started.tool.control.stats()).toMatchObject({ lateWrites: 0, written: 0 });
  await started.tool.control.setWeather({ faults: {}, latencyMs: 250 });
  await copy(started);
  expect(await started.tool.control.stats()).toMatchObject({ written: 0 });
});

test("find does not show recent writes", async () => {
  const started = await start({ findLagMs: 3_000 });
  await copy(started);
  const asked = [{ key: "k-1", since: new Date(0) }];
  expect((await started.to.find(started.io, asked)).get("k-1")).toEqual([]);
  await expect.poll(async () => (await started.to.find(started.io, asked)).get("k-1")).toHaveLength(1);
});

test("faults of reading do not affect writing", async () => {
  const { tool, io, from, to } = await start();
  const records = await from.readByIds(io, ["1"]);
  for (const faults of [{ readError: 1 }, { readReset: 1 }]) {
    await tool.control.setWeather({ faults });
    await expect(from.readByIds(io, ["1"])).rejects.toMatchObject({ recovery: "retry" });
    expect((await to.write(io, writesOf(records)))[0]?.kind).toBe("written");
  }
  await tool.control.setWeather({ faults: { slow: 1, slowMs: 300 } });
  const startedAt = performance.now();
  await from.readByIds(io, ["1"]);
  expect(performance.now() - startedAt).toBeGreaterThan(280);
});

test("a storm refuses all requests for a while and says how long", async () => {
  const { tool } = await start();
  const ask = async () => {
    const answer = await fetch(`${tool.url}/me`, { headers: { authorization: `Bearer ${tool.token}` } });
    return [answer.status, answer.headers.get("retry-after")];
  };
  await tool.control.storm({ ms: 10_000, retryAfterMs: 9_000 });
  expect(await ask()).toEqual([429, "9.000"]);
  await tool.control.storm({ ms: 3_000, status: 503 });
  expect((await ask())[0]).toBe(503);
  await expect.poll(ask).toEqual([200, null]);
});

test("an expired token stays expired; a new one of the same account works and shares its quota", async () => {
  const { tool, io, ioWith, from } = await start();
  await from.readByIds(io, ["1"]);
  await tool.control.expire(tool.account);
  await expect(from.readByIds(io, ["1"])).rejects.toMatchObject({ recovery: "reauthorize" });
  const fresh = await tool.control.newToken(tool.account);
  expect(fresh.account).toBe(tool.account);
  await tool.control.setWeather({ quota: { requests: 2, perMs: 60_000, headers: false } });
  await from.readByIds(ioWith(fresh.token), ["1"]);
  const again = await tool.control.newToken(tool.account);
  const answer = await fetch(`${tool.url}/me`, { headers: { authorization: `Bearer ${again.token}` } });
  expect([answer.status, answer.headers.get("x-remaining")]).toEqual([200, null]);
  await expect(from.readByIds(ioWith(again.token), ["1"])).rejects.toMatchObject({ status: 429 });
  expect(await tool.control.stats()).toMatchObject({
    refused: 1,
    accounts: [{ id: tool.account, accepted: 3, refused: 1, inFlight: 0 }],
  });
});

test("churns the source at the requested rate", async () => {
  const { tool } = await start();
  const streams = ["tickets", "comments"];
  const begunAt = performance.now();
  await tool.control.churn({ perSecond: 200, streams, update: 2, remove: 1, add: 1 });
  await expect.poll(async () => (await tool.control.stats()).changes).toBeGreaterThan(100);
  await tool.control.churn({ perSecond: 0, streams: [] });
  const { changes } = await tool.control.stats();
  expect(changes).toBeLessThan(((performance.now() - begunAt) / 1_000) * 400);
  const before = await tool.control.sourceCounts();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await tool.control.stats()).changes).toBe(changes);
  expect(await tool.control.sourceCounts()).toEqual(before);
  expect(before).not.toEqual({ ...before, tickets: counts.tickets, comments: counts.comments });
});

test("the digest shows each change by hand, and a person's record is no copy", async () => {
  const started = await start({ lean: true });
  const { tool, io, to, from } = started;
  await copy(started);
  const digest = async () => (await tool.control.digest()).tickets;
  const before = await digest();
  expect(await digest()).toBe(before);
  const edited = await tool.control.editByHand("tickets", "1001", { tags: ["by hand"] });
  expect(await digest()).not.toBe(before);
  expect((await to.read(io, ["1001"]))[0]).toEqual(edited.record);
  const own = await tool.control.addByHand("tickets", (await from.readByIds(io, ["1"]))[0] as FamilyRecord);
  expect((await tool.control.compare()).tickets).toMatchObject({ written: 60, doubled: 0, stale: 1 });
  const dumped: DumpedRow[] = [];
  for await (const row of tool.control.dump("tickets")) dumped.push(row);
  expect(dumped).toHaveLength(61);
  expect(dumped[0]).toMatchObject({ id: "1001", key: "k-1", sourceId: "1", record: { tags: ["by hand"] } });
  await tool.control.removeByHand("tickets", own.id);
  const { writes } = await tool.control.stats();
  expect(writes.tickets).toMatchObject({ items: 60 });
  expect(writes.tickets?.lastAt).toBeGreaterThanOrEqual(writes.tickets?.firstAt ?? Number.NaN);
  await tool.control.forget();
  expect(await tool.control.stats()).toMatchObject({ written: 0, writes: {} });
});

test("slices have no gap and no overlap, and ids alone are read like the rows", async () => {
  const { io, from } = await start({}, { pageSize: 7 });
  const cursors = (await from.slices?.(io, 4)) ?? [];
  expect(cursors).toHaveLength(4);
  const ids: string[] = [];
  for (const slice of cursors) {
    let cursor: (typeof cursors)[number] | null = slice;
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof from.readPage>> = await from.readPage(io, {
        cursor,
        since: null,
        parentId: null,
      });
      ids.push(...page.records.map(({ id }) => id));
      cursor = page.next;
    }
  }
  const all = Array.from({ length: 60 }, (_, index) => String(index + 1));
  expect(ids).toEqual(all);
  const first = await from.readIds?.(io, { cursor: null, since: null, parentId: null });
  expect(first?.records).toEqual(all);
  expect(await from.customFields?.(io)).toHaveLength(3);
});
