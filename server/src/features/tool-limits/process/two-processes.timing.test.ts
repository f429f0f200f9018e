import { expect, test } from "vitest";
import { useSlotsProcesses } from "../../../../../test/support/use-slots-processes.ts";

const start = useSlotsProcesses();
const of = { tool: "tool", instance: "tool.example", side: "source", runId: null } as const;

test("two processes use one limit to the full, and share it by runs", async () => {
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
  // Start times differ from the tool's arrival times: a busy machine shifts them by some milliseconds.
  expect(Math.max(...inAWindow)).toBeLessThanOrEqual(202);
  expect(Math.max(...inAWindow)).toBeGreaterThan(140);
  // Once all processes know of each other.
  const settled = starts[0] as number;
  const counts = ["a", "b", "c", "d"].map(
    (run) => done.filter((each) => each.run === run && each.from > settled + 2_000).length,
  );
  expect(Math.min(...counts)).toBeGreaterThan(0.6 * Math.max(...counts));
}, 40_000);
