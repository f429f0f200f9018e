import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import type { SlotsDone, SlotsOrder } from "../../../../test/support/slots-process.ts";
import { membershipMs } from "./advance.ts";

let db: TestDatabase;
const children: ChildProcess[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => db.drop());

const start = (order: Omit<SlotsOrder, "url">) => {
  const child = fork(join(import.meta.dirname, "../../../../test/support/slots-process.ts"));
  children.push(child);
  child.send({ url: db.url, ...order });
  const starts: number[] = [];
  const done = new Promise<SlotsDone>((resolve) => {
    child.on("message", (message: { done?: SlotsDone; started?: number }) => {
      if (message.started !== undefined) starts.push(message.started);
      if (message.done) resolve(message.done);
    });
  });
  return { child, starts, done };
};

const of = { tool: "tool", side: "source", runId: null } as const;

test("two processes keep one limit and one number of places, and share by runs", async () => {
  const order = {
    of: { ...of, accountId: "shared", limits: [{ requests: 200, perMs: 10_000 }], concurrency: 6 },
    atATime: 6,
    requestMs: 100,
    durationMs: 12_000,
  };
  const work = [start({ ...order, runs: ["a", "b", "c"] }), start({ ...order, runs: ["d"] })];
  const done = (await Promise.all(work.map(async (each) => each.done))).flat();
  const starts = done.map(({ from }) => from).toSorted((a, b) => a - b);
  const inAWindow = starts.map((from) => starts.filter((at) => at >= from && at < from + 10_000).length);
  // The processes' starts are not the tool's arrivals: a busy machine shifts them by some milliseconds.
  expect(Math.max(...inAWindow)).toBeLessThanOrEqual(202);
  expect(Math.max(...inAWindow)).toBeGreaterThan(140);
  const atATime = done.map(({ from }) => done.filter((each) => each.from <= from && each.to > from).length);
  expect(Math.max(...atATime)).toBeLessThanOrEqual(6);
  // Once all know of each other.
  const settled = starts[0] as number;
  const counts = ["a", "b", "c", "d"].map(
    (run) => done.filter((each) => each.run === run && each.from > settled + 2_000).length,
  );
  expect(Math.min(...counts)).toBeGreaterThan(0.6 * Math.max(...counts));
}, 40_000);

test("the places of a process that was killed come back", async () => {
  const order = {
    of: { ...of, accountId: "lost", limits: [], concurrency: 3 },
    runs: ["a"],
    atATime: 3,
    requestMs: 60_000,
    durationMs: 60_000,
  };
  const lost = start(order);
  await vi.waitUntil(() => lost.starts.length === 3, { timeout: 20_000 });
  lost.child.kill("SIGKILL");
  const killedAt = Date.now();
  const next = start({ ...order, runs: ["b"] });
  await vi.waitUntil(() => next.starts.length === 3, { timeout: membershipMs + 20_000 });
  const waited = (next.starts[0] as number) - killedAt;
  // Not before its time is over: its requests may still be out.
  expect(waited).toBeGreaterThan(membershipMs / 2);
  expect(waited).toBeLessThan(membershipMs + 10_000);
}, 60_000);
