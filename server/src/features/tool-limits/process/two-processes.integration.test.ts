import type { RateLimit } from "@portage/connector-kit";
import type { Call } from "@portage/connector-kit/http";
import { expect, test, vi } from "vitest";
import { useSlotsProcesses } from "../../../../../test/support/use-slots-processes.ts";
import { membershipMs } from "./advance.ts";

const start = useSlotsProcesses();
const of = { tool: "tool", instance: "tool.example", side: "source", runId: null } as const;

test("two processes share one number of places, and every run gets its part", async () => {
  const order = {
    of: { ...of, accountId: "shared", limits: [{ requests: 200, perMs: 10_000 }], concurrency: 6 },
    atATime: 6,
    requestMs: 100,
    durationMs: 6_000,
  };
  const work = [start({ ...order, runs: ["a", "b", "c"] }), start({ ...order, runs: ["d"] })];
  const done = (await Promise.all(work.map(async (each) => each.done))).flat();
  const atATime = done.map(({ from }) => done.filter((each) => each.from <= from && each.to > from).length);
  expect(Math.max(...atATime)).toBeLessThanOrEqual(6);
  expect(new Set(done.map(({ run }) => run))).toEqual(new Set(["a", "b", "c", "d"]));
}, 900_000);

test("two processes together keep to the quota of a class of calls, and to a quota by cost", async () => {
  // Long windows, which are counted: so no delay of this machine changes what is right.
  const limits: RateLimit[] = [
    { requests: 1_000, perMs: 1_000 },
    { requests: 20, perMs: 3_600_000, class: "export" },
    { requests: 300, perMs: 3_600_000, by: "cost" },
  ];
  const calls: Record<string, Call> = {
    exports: { kind: "read", class: "export", cost: 0 },
    lists: { kind: "read", cost: 10 },
    creates: { kind: "write", cost: 5 },
    free: { kind: "read", cost: 0 },
  };
  const order = {
    of: { ...of, accountId: "classes", limits, concurrency: 20 },
    calls,
    runs: Object.keys(calls),
    atATime: 2,
    requestMs: 20,
    durationMs: 6_000,
  };
  const work = [start(order), start(order)];
  const done = (await Promise.all(work.map(async (each) => each.done))).flat();
  const count = (run: string) => done.filter((each) => each.run === run).length;
  expect(count("exports")).toBeLessThanOrEqual(20);
  expect(count("lists") * 10 + count("creates") * 5).toBeLessThanOrEqual(300);
  // Both were used, and what no such quota counts went on.
  expect(count("exports")).toBeGreaterThan(10);
  expect(count("lists") + count("creates")).toBeGreaterThan(15);
  expect(count("free")).toBeGreaterThan(count("exports"));
}, 900_000);

test("the places of a killed process come back", async () => {
  const order = {
    of: { ...of, accountId: "lost", limits: [], concurrency: 3 },
    runs: ["a"],
    atATime: 3,
    requestMs: 60_000,
    durationMs: 60_000,
  };
  const lost = start(order);
  await vi.waitUntil(() => lost.starts.length === 3, { timeout: 600_000 });
  lost.child.kill("SIGKILL");
  const killedAt = Date.now();
  const next = start({ ...order, runs: ["b"] });
  await vi.waitUntil(() => next.starts.length === 3, { timeout: membershipMs + 20_000 });
  const waited = (next.starts[0] as number) - killedAt;
  // Not before its membership expires: its requests may still be in flight.
  expect(waited).toBeGreaterThan(membershipMs / 2);
});
