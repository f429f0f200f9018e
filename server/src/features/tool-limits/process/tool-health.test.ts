import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryRows } from "../../../../../test/support/quota-simulation.ts";
import { createSharedAccounts } from "./account-slots.ts";

// Simulates minutes of waiting, with rows in memory because the real database's clock can't be set.
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const answer = { retryAfterMs: null, quotas: [] };
const fine = { ...answer, status: 200, tookMs: 10 };
const broken = { ...answer, status: null, failure: "unreachable", tookMs: 10 };

const setUp = () => {
  const rows = createMemoryRows(() => 1);
  const limitersOf = (tool: string, instance = "desk.example") => {
    const slots = createSharedAccounts({ ...rows, onProblem: () => {} });
    return (accountId: string) =>
      slots.limiterFor({
        tool,
        instance,
        accountId,
        side: "source",
        runId: "run",
        limits: [],
        concurrency: 4,
      });
  };
  return { limitersOf };
};

type Limiter = ReturnType<ReturnType<ReturnType<typeof setUp>["limitersOf"]>>;

/** Sends one request; answers its outcome. */
const call = async (limiter: Limiter, learned: typeof fine | typeof broken) => {
  let outcome: "sent" | { code: string; retryAfterMs: number } | null = null;
  void limiter.take({ kind: "read" }, never).then(
    (slot) => {
      limiter.learn(learned);
      slot.release();
      outcome = "sent";
    },
    (error: { code: string; retryAfterMs: number }) => {
      outcome = error;
    },
  );
  for (let waited = 0; waited < 300 || outcome === null; waited += 100)
    await vi.advanceTimersByTimeAsync(100);
  return outcome as "sent" | { code: string; retryAfterMs: number };
};

const callFor = async (limiter: Limiter, learned: typeof fine | typeof broken, times: number) => {
  const outcomes = [];
  for (let done = 0; done < times; done += 1) outcomes.push(await call(limiter, learned));
  return outcomes;
};

describe("one account", () => {
  test("gets no requests from any process, then one probe, then requests again", async () => {
    const { limitersOf } = setUp();
    const mine = limitersOf("tool")("acme");
    const theirs = limitersOf("tool")("acme");
    await call(theirs, fine);
    const outcomes = await callFor(mine, broken, 8);
    expect(outcomes.slice(0, 5)).toEqual(Array(5).fill("sent"));
    expect(outcomes.at(-1)).toMatchObject({ recovery: "retry", code: "unavailable" });
    await vi.advanceTimersByTimeAsync(1_500);
    const away = await call(theirs, fine);
    expect(away).toMatchObject({ recovery: "retry", code: "unavailable" });
    await vi.advanceTimersByTimeAsync((away as { retryAfterMs: number }).retryAfterMs);
    // The probe fails: the circuit stays open longer than before.
    expect(await call(theirs, broken)).toBe("sent");
    const again = (await call(theirs, fine)) as { retryAfterMs: number };
    expect(again.retryAfterMs).toBeGreaterThan(7_000);
    await vi.advanceTimersByTimeAsync(again.retryAfterMs);
    // While one process probes, the other does not.
    const trying = theirs.take({ kind: "read" }, never);
    await vi.advanceTimersByTimeAsync(200);
    expect(await call(mine, fine)).toMatchObject({ code: "unavailable" });
    theirs.learn(fine);
    (await trying).release();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await callFor(mine, fine, 3)).toEqual(["sent", "sent", "sent"]);
    expect(await callFor(theirs, fine, 3)).toEqual(["sent", "sent", "sent"]);
  });

  test("after a probe without an outcome another process may probe", async () => {
    const { limitersOf } = setUp();
    const limiter = limitersOf("tool")("acme");
    await callFor(limiter, broken, 8);
    await vi.advanceTimersByTimeAsync(7_000);
    const asked = limiter.take({ kind: "read" }, never);
    await vi.advanceTimersByTimeAsync(100);
    (await asked).release();
    await vi.advanceTimersByTimeAsync(100);
    expect(await call(limiter, fine)).toBe("sent");
  });
});

describe("an instance of a tool", () => {
  test("gets no requests when several accounts fail and none is served", async () => {
    const { limitersOf } = setUp();
    const limiterFor = limitersOf("tool");
    for (let round = 0; round < 30; round += 1)
      for (const account of ["a", "b", "c"]) await call(limiterFor(account), broken);
    expect(await call(limitersOf("other")("d"), fine)).toBe("sent");
    expect(await call(limitersOf("tool")("d"), fine)).toMatchObject({ code: "unavailable" });
  });

  test("another instance of it gets requests, although every other one is down", async () => {
    const { limitersOf } = setUp();
    const down = ["a", "b", "c"].map((name) => limitersOf("tool", `${name}.example`)(name));
    for (let round = 0; round < 30; round += 1) for (const limiter of down) await call(limiter, broken);
    expect(await call(limitersOf("tool", "d.example")("d"), fine)).toBe("sent");
  });

  test("still gets requests while another account is served", async () => {
    const { limitersOf } = setUp();
    const limiterFor = limitersOf("tool");
    const served = limitersOf("tool")("d");
    for (let round = 0; round < 30; round += 1) {
      for (const account of ["a", "b", "c"]) await call(limiterFor(account), broken);
      expect(await call(served, fine)).toBe("sent");
    }
  });
});
