import { createRandom } from "@portage/connector-kit/conformance";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { judgeQuota } from "../../../../../test/support/judge-quota.ts";
import { simulateQuota, type Simulated } from "../../../../../test/support/quota-simulation.ts";

// Simulates minutes of quota in a moment, with rows in memory because the real database's clock can't be set.
// `npm run bench:quota` does the same in real time, with real processes and PostgreSQL.
// A simulation computes for about a second, which can take long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Deterministic by seed, so that a seed always passes or always fails. */
const toolOf = (seed: string, latencyMs = 50) => {
  const random = createRandom(seed);
  return {
    window: "fixed",
    requests: 700,
    perMs: 60_000,
    phaseMs: random.next() * 60_000,
    latencyMs: () => latencyMs * (0.9 + 0.2 * random.next()),
    wayMs: () => 1 + 4 * random.next(),
    tripMs: () => 0.5 + random.next(),
    tellsHeaders: false,
    tellsWait: true,
    limits: [],
    concurrency: 64,
    processes: [["a", "b"], ["c"]],
    atATime: 16,
  } as const satisfies Simulated;
};
const tool = (latencyMs?: number) => ({ ...toolOf("quota", latencyMs), phaseMs: 20_000 });

const pass = async (seconds: number) => {
  for (let second = 0; second < seconds; second += 1) await vi.advanceTimersByTimeAsync(1_000);
};

/** The share of the quota used in whole windows, and the share of refusals, after `learnS` seconds of learning. */
const measure = async (of: Simulated, learnS: number, measureS: number) => {
  const sim = simulateQuota(of);
  await pass(learnS);
  const before = { ...sim.ours };
  await pass(measureS);
  const accepted = sim.ours.accepted - before.accepted;
  const refused = sim.ours.refused - before.refused;
  sim.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  return {
    use: accepted / ((of.requests * measureS * 1_000) / of.perMs),
    refused: refused / (accepted + refused),
    byRun: Object.values(sim.byRun),
    peakInFlight: sim.peakInFlight(),
  };
};

const learnMs = 60_000;
const windows = 3;

// The same claim as `npm run bench:quota`: three minutes, after one minute of learning.
describe.each(["fixed", "sliding"] as const)("a %s window", (window) => {
  describe.each([
    ["declared", 50],
    ["declared", 2_000],
    ["refusals alone", 50],
    ["refusals alone", 2_000],
    ["headers", 50],
    ["headers", 2_000],
  ])("known by %s, answers in %i ms", (known, latencyMs) => {
    test.each(["first", "second"])("is used to the full and hardly exceeded: %s seed", async (seed) => {
      const of = {
        ...toolOf(`${seed} ${window} ${known} ${latencyMs}`, latencyMs),
        window,
        limits: known === "declared" ? [{ requests: 700, perMs: 60_000 }] : [],
        tellsHeaders: known === "headers",
      };
      const sim = simulateQuota(of);
      // Fixed windows are measured whole: up to one window later.
      await pass(((windows + 1) * of.perMs + learnMs) / 1_000 + 3);
      const counts = { accepted: sim.accepted.map(sim.since), refused: sim.refused.map(sim.since) };
      sim.stop();
      await pass(120);
      const { quotaUse, share429 } = judgeQuota(of, counts, learnMs, windows);
      expect(quotaUse).toBeGreaterThanOrEqual(0.98);
      expect(share429).toBeLessThanOrEqual(0.01);
      const byRun = Object.values(sim.byRun);
      expect(Math.min(...byRun)).toBeGreaterThan(0.9 * Math.max(...byRun));
    });
  });
});

test("learning finds, step by step, that a tool allows more than declared", async () => {
  const limits = [{ requests: 58, perMs: 10_000 }];
  const of = { ...tool(), requests: 117, perMs: 10_000, phaseMs: 3_000, limits };
  const { use, refused } = await measure(of, 240, 60);
  expect(use).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.02);
});

test("learning finds by refusals that a tool allows less than declared", async () => {
  const of = { ...tool(), limits: [{ requests: 1_400, perMs: 60_000 }] };
  const { use, refused } = await measure(of, 105, 60);
  expect(use).toBeGreaterThan(0.97);
  expect(refused).toBeLessThan(0.01);
});

test("learning finds the quota of a tool that does not say how long to wait", async () => {
  const of = { ...tool(), window: "sliding" as const, tellsWait: false };
  const { use, refused } = await measure(of, 180, 60);
  expect(use).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.01);
});

test("what another user of the account needs is left to them", async () => {
  const of = { ...tool(), tellsHeaders: true, foreignEveryMs: 200 };
  const { use, refused } = await measure(of, 105, 60);
  expect(use).toBeGreaterThan(0.5);
  expect(use).toBeLessThan(0.63);
  expect(refused).toBeLessThan(0.02);
});

test("headers with only the remainder suffice to find a quota of seconds", async () => {
  const of = { ...tool(), requests: 10, perMs: 1_000, phaseMs: 300, tellsHeaders: true };
  const { use, refused } = await measure(of, 30, 60);
  expect(use).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.02);
});

test("an hour's quota is used at once, and then the account waits", async () => {
  const of = {
    ...tool(),
    requests: 1_000,
    perMs: 3_600_000,
    limits: [{ requests: 1_000, perMs: 3_600_000 }],
  };
  const { use } = await measure(of, 0, 120);
  expect(use * 120).toBeGreaterThan(0.98 * 3_600);
});

test("with headers, the rest of an hour's quota is used before its end, and the next from its beginning", async () => {
  const of = { ...tool(), requests: 1_000, perMs: 3_600_000, phaseMs: 2_700_000, tellsHeaders: true };
  const { use, refused } = await measure(of, 0, 1_000);
  // A quarter of an hour is left of the first window.
  expect(use * 1_000).toBeGreaterThan(1.95 * 3_600);
  expect(use * 1_000).toBeLessThanOrEqual(2 * 3_600);
  expect(refused).toBeLessThan(0.05);
});

test("six processes never hold more than four places, and each gets its time", async () => {
  const processes = ["a", "b", "c", "d", "e", "f"].map((run) => [run]);
  const of = { ...tool(), requests: 7_000, concurrency: 4, processes, latencyMs: () => 500 };
  const { byRun, peakInFlight } = await measure(of, 5, 55);
  expect(peakInFlight).toBeLessThanOrEqual(4);
  expect(Math.min(...byRun)).toBeGreaterThan(0.6 * Math.max(...byRun));
  // Four places, half a second per request.
  expect(byRun.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.85 * 4 * 2 * 60);
});
