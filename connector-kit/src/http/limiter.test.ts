import { expect, onTestFinished, test, vi } from "vitest";
import { createLocalLimiter, type Limiter } from "./limiter.ts";
import type { Call } from "./quotas.ts";

const never = new AbortController().signal;
const nothing = { status: 200, retryAfterMs: null, quotas: [] };

test("spaces starts, so that no window exceeds the limit", async () => {
  // A simulated clock: on a busy machine the moments at which a test looks say nothing about the starts.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limiter = createLocalLimiter([{ requests: 10, perMs: 200 }], 100);
  const starts: number[] = [];
  for (let i = 0; i < 15; i += 1)
    void limiter.take({ kind: "read" }, never).then(() => void starts.push(performance.now()));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(starts.length).toBe(15);
  for (const [index, at] of starts.slice(10).entries())
    expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(200);
});

test("a limit on writes does not affect reads", async () => {
  const limiter = createLocalLimiter([{ requests: 1, perMs: 60_000, only: "write" }], 100);
  await limiter.take({ kind: "write" }, never);
  const over = new AbortController();
  let isOver = false;
  const nextWrite = limiter
    .take({ kind: "write" }, over.signal)
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  for (let i = 0; i < 5; i += 1) await limiter.take({ kind: "read" }, never);
  expect(isOver).toBe(false);
  over.abort();
  await nextWrite;
});

test("a limit on a class of calls does not affect others, and a pause of its quota neither", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limiter = createLocalLimiter([{ requests: 1, perMs: 6_000, class: "export" }], 100);
  const exporting = { kind: "read", class: "export" } as const;
  await limiter.take(exporting, never);
  expect(await waitOf(limiter)).toBe(0);
  expect(await waitOf(limiter, exporting)).toBe(6_000);
  limiter.learn({ ...nothing, quotas: [{ name: "x", class: "export", remaining: 0, resetMs: 30_000 }] });
  expect(await waitOf(limiter)).toBe(0);
  expect(await waitOf(limiter, exporting)).toBe(30_000);
});

test("a limit by cost lets no window hold more than it allows, in whichever order costs come", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limiter = createLocalLimiter([{ requests: 10, perMs: 2_000, by: "cost" }], 100);
  const starts: { at: number; cost: number }[] = [];
  const costs = [1, 1, 1, 8, 3, 3, 3, 1, 10, 40, 1, 0, 5, 5, 5];
  for (const cost of costs)
    void limiter.take({ kind: "read", cost }, never).then(() => starts.push({ at: Date.now(), cost }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(starts).toHaveLength(costs.length);
  for (const { at } of starts) {
    const inWindow = starts.filter((each) => each.at >= at && each.at < at + 2_000 && each.cost > 0);
    const spent = inWindow.reduce((sum, { cost }) => sum + cost, 0);
    // A request that costs more than all of it goes alone.
    expect(inWindow.length === 1 ? 0 : spent).toBeLessThanOrEqual(10);
  }
});

test("runs no more requests at a time than the tool allows", async () => {
  const limiter = createLocalLimiter([], 2);
  const first = await limiter.take({ kind: "read" }, never);
  await limiter.take({ kind: "read" }, never);
  let third = false;
  const waiting = limiter.take({ kind: "read" }, never).then(() => {
    third = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(third).toBe(false);
  first.release();
  await waiting;
  expect(third).toBe(true);
});

test.each([
  [{ ...nothing, status: 429, retryAfterMs: 100 }],
  [{ ...nothing, quotas: [{ name: "x", remaining: 0, resetMs: 100 }] }],
])("waits after the answer %j", async (answer) => {
  const limiter = createLocalLimiter([], 2);
  limiter.learn(answer);
  const started = performance.now();
  await limiter.take({ kind: "read" }, never);
  expect(performance.now() - started).toBeGreaterThanOrEqual(95);
});

/** The time from now until a request may start. */
const waitOf = async (limiter: Limiter, call: Call = { kind: "read" }) => {
  const asked = Date.now();
  let started: number | null = null;
  void limiter.take(call, never).then((slot) => {
    started = Date.now();
    slot.release();
  });
  await vi.advanceTimersByTimeAsync(0);
  while (started === null) await vi.advanceTimersByTimeAsync(100);
  return started - asked;
};

test("a 429 without a wait pauses the account, and longer if that was not enough", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limiter = createLocalLimiter([], 2);
  const silent = { ...nothing, status: 429 };
  // Refused together: one refusal.
  for (let i = 0; i < 5; i += 1) limiter.learn(silent);
  expect(await waitOf(limiter)).toBe(1_000);
  limiter.learn(silent);
  expect(await waitOf(limiter)).toBe(2_000);
  limiter.learn(nothing);
  limiter.learn(silent);
  expect(await waitOf(limiter)).toBe(1_000);
  limiter.learn({ ...silent, usualWaitMs: 10_000 });
  expect(await waitOf(limiter)).toBe(10_000);
});

test("an aborted wait frees its slot", async () => {
  const limiter = createLocalLimiter([], 1);
  limiter.learn({ ...nothing, status: 429, retryAfterMs: 150 });
  await expect(limiter.take({ kind: "read" }, AbortSignal.timeout(20))).rejects.toThrow();
  await limiter.take({ kind: "read" }, never);
});

test("a caller that aborts while all slots are taken leaves the queue and takes no slot", async () => {
  const limiter = createLocalLimiter([], 1);
  const first = await limiter.take({ kind: "read" }, never);
  const gaveUp = limiter.take({ kind: "read" }, AbortSignal.timeout(20));
  const next = limiter.take({ kind: "read" }, never);
  await expect(gaveUp).rejects.toThrow();
  first.release();
  await next;
});
