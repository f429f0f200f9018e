import { createRandom } from "@portage/connector-kit/conformance";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { judgeQuota } from "../../../../../test/support/judge-quota.ts";
import { simulateQuota, type Simulated } from "../../../../../test/support/quota-simulation.ts";

// Minutes of quota in a moment: with rows in memory, because the real database's clock can't be turned. The same in
// real time, with real processes and PostgreSQL, is `npm run bench:quota`.
// A simulation takes a second of computing, which on a busy machine can be a long time.
vi.setConfig({ testTimeout: 240_000 });
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** The same for the same seed: each time, a seed goes well or it does not. */
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

/** What was used of the quota in whole windows, and the share of refusals, after so many seconds of learning. */
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
    mostInFlight: sim.mostInFlight(),
  };
};

const learnMs = 60_000;
const windows = 3;

// What `npm run bench:quota` claims: after a minute of learning, three minutes.
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
      // Of fixed windows, whole ones: up to one window later.
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

test("a tool that allows more than is declared is found to, step by step", async () => {
  const limits = [{ requests: 58, perMs: 10_000 }];
  const of = { ...tool(), requests: 117, perMs: 10_000, phaseMs: 3_000, limits };
  const { use, refused } = await measure(of, 240, 60);
  expect(use).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.02);
});

test("a tool that allows less than is declared is found to, by its refusals", async () => {
  const of = { ...tool(), limits: [{ requests: 1_400, perMs: 60_000 }] };
  const { use, refused } = await measure(of, 105, 60);
  expect(use).toBeGreaterThan(0.97);
  expect(refused).toBeLessThan(0.01);
});

test("where the tool does not say how long to wait, its quota is still found", async () => {
  const of = { ...tool(), window: "sliding" as const, tellsWait: false };
  const { use, refused } = await measure(of, 180, 60);
  expect(use).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.01);
});

test("what somebody else uses of the account is left to them", async () => {
  const of = { ...tool(), tellsHeaders: true, foreignEveryMs: 200 };
  const { use, refused } = await measure(of, 105, 60);
  expect(use).toBeGreaterThan(0.5);
  expect(use).toBeLessThan(0.63);
  expect(refused).toBeLessThan(0.02);
});

test("a quota of seconds is found by headers that tell only what is left of it", async () => {
  const of = { ...tool(), requests: 10, perMs: 1_000, phaseMs: 300, tellsHeaders: true };
  const { use, refused } = await measure(of, 30, 60);
  expect(use).toBeGreaterThan(0.9);
  expect(refused).toBeLessThan(0.02);
});

test("an hour's quota is used at once, and then waited for", async () => {
  const of = {
    ...tool(),
    requests: 1_000,
    perMs: 3_600_000,
    limits: [{ requests: 1_000, perMs: 3_600_000 }],
  };
  const { use } = await measure(of, 0, 120);
  expect(use * 120).toBeGreaterThan(0.98 * 3_600);
});

test("of an hour's quota that headers tell, the rest is used before its end, and the next from its beginning", async () => {
  const of = { ...tool(), requests: 1_000, perMs: 3_600_000, phaseMs: 2_700_000, tellsHeaders: true };
  const { use, refused } = await measure(of, 0, 1_000);
  // A quarter of an hour is left of the first.
  expect(use * 1_000).toBeGreaterThan(1.95 * 3_600);
  expect(use * 1_000).toBeLessThanOrEqual(2 * 3_600);
  expect(refused).toBeLessThan(0.05);
});

test("six processes never hold more than four places, and each has its time", async () => {
  const processes = ["a", "b", "c", "d", "e", "f"].map((run) => [run]);
  const of = { ...tool(), requests: 7_000, concurrency: 4, processes, latencyMs: () => 500 };
  const { byRun, mostInFlight } = await measure(of, 5, 55);
  expect(mostInFlight).toBeLessThanOrEqual(4);
  expect(Math.min(...byRun)).toBeGreaterThan(0.6 * Math.max(...byRun));
  // Four places, half a second each.
  expect(byRun.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.85 * 4 * 2 * 60);
});
