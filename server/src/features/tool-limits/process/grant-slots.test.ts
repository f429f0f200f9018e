import type { RateLimit } from "@portage/connector-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countingLimits, declareLimits, freshState } from "../state/account-state.ts";
import { advanceAccount, type ProcessReport } from "./advance.ts";
import { grantSlots } from "./grant-slots.ts";
import { type Lane, laneOf, laneRuleOf, laneWeight } from "../state/lanes.ts";
import { lateMs, marginMs } from "../state/pace.ts";
import { bucketOf } from "../state/usage.ts";

const startMs = 1_700_000_000_000;

const reportOf = (process: string, more: Partial<ProcessReport>): ProcessReport => ({
  process,
  limits: [],
  concurrency: 100,
  weight: 1,
  want: { any: 0, read: 0, write: 0 },
  returned: { any: [], read: [], write: [] },
  lagMs: 0,
  open: {},
  charged: { any: 0, read: 0, write: 0 },
  places: { source: { want: 1, running: 0 }, destination: { want: 0, running: 0 } },
  used: [],
  usedBy: {},
  refused: null,
  headers: {},
  pauseUntil: 0,
  latencyMs: null,
  circuit: null,
  isLeaving: false,
  ...more,
});

/** The most requests in any window of that length; one on its edge belongs to one side only. */
const mostIn = (times: readonly number[], perMs: number): number => {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  for (let from = 0, to = 0; to < sorted.length; to += 1) {
    while ((sorted[to] as number) - (sorted[from] as number) >= perMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
};

const limitOf = fc.record(
  {
    requests: fc.integer({ min: 1, max: 60 }),
    perMs: fc.constantFrom(1_000, 10_000, 60_000),
    only: fc.constantFrom("read" as const, "write" as const),
    class: fc.constantFrom("export", "search"),
  },
  { requiredKeys: ["requests", "perMs"] },
);

/** Processes that ask at odd times, lose slots, report their use, and whose requests arrive within the margin. */
const history = (
  limits: readonly RateLimit[],
  asks: readonly { process: string; afterMs: number; want: number; fate: "used" | "returned" | "lost" }[],
  delay: () => number,
) => {
  const state = freshState();
  const margin = Math.min(...limits.map(({ perMs }) => marginMs(perMs)));
  const rule = laneRuleOf(limits);
  const calls = (["read", "write"] as const).flatMap((kind) =>
    [undefined, "export", "search"].map((each) => ({ kind, class: each })),
  );
  const lanes = [...new Set(calls.map((call) => laneOf(call, rule)))];
  const held = new Map<string, { lane: Lane; at: number }[]>();
  const arrived: { lane: Lane; at: number }[] = [];
  let nowMs = startMs;
  for (const { process, afterMs, want, fate } of asks) {
    nowMs += afterMs;
    const slots = held.get(process) ?? [];
    const past = slots.filter(({ at }) => at <= nowMs);
    const coming = slots.filter(({ at }) => at > nowMs);
    const used = fate === "lost" ? [] : past;
    const back = fate === "returned" ? coming.splice(coming.length / 2) : [];
    // Within the margin: half of it is for late use, half for the network.
    for (const { lane, at } of used) arrived.push({ lane, at: at + delay() * margin * 0.999 });
    const inLane = (lane: Lane, all: typeof slots) =>
      all.filter((each) => each.lane === lane).map(({ at }) => at);
    const byLane = <T>(of: (lane: Lane) => T) =>
      Object.fromEntries(lanes.map((lane) => [lane, of(lane)] as const));
    const lease = advanceAccount(
      state,
      reportOf(process, {
        limits,
        want: Object.fromEntries(lanes.map((lane) => [lane, want])),
        used: used.map(({ at }) => [bucketOf(at), 1]),
        usedBy: byLane((lane) => inLane(lane, used).map((at) => [bucketOf(at), 1])),
        returned: byLane((lane) => inLane(lane, back)),
        open: byLane((lane) => inLane(lane, coming).length),
      }),
      nowMs,
    );
    for (const lane of lanes)
      for (const at of lease.slots[lane] ?? []) {
        expect(at).toBeGreaterThanOrEqual(nowMs - lease.lateMs);
        coming.push({ lane, at });
      }
    held.set(process, coming);
  }
  return { arrived: [...arrived, ...[...held.values()].flat()], state };
};

const expectKept = (limits: readonly RateLimit[], arrived: readonly { lane: Lane; at: number }[]) => {
  for (const limit of limits) {
    const counted = arrived.filter(({ lane }) => laneWeight(limit, lane) > 0).map(({ at }) => at);
    expect(mostIn(counted, limit.perMs)).toBeLessThanOrEqual(limit.requests);
  }
};

describe("no window of the tool holds more than it allows", () => {
  const askOf = (maxWant: number) =>
    fc.record({
      process: fc.constantFrom("a", "b", "c"),
      afterMs: fc.integer({ min: 0, max: 1_500 }),
      want: fc.integer({ min: 0, max: maxWant }),
      fate: fc.constantFrom("used" as const, "used" as const, "returned" as const, "lost" as const),
    });
  const delays = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));

  test("whichever process asks, when and for how much, and however late requests arrive within the margin", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(limitOf, {
          minLength: 1,
          maxLength: 3,
          selector: ({ perMs, only, class: name }) => `${perMs}${only}${name}`,
        }),
        fc.array(askOf(40), { maxLength: 150 }),
        delays,
        (limits: RateLimit[], asks, stream) =>
          expectKept(limits, history(limits, asks, () => stream.next().value as number).arrived),
      ),
      { numRuns: 300 },
    );
  });

  test("also while lost starts are made up for", () => {
    let madeUp = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 3_000 }),
        fc.array(askOf(100), { minLength: 200, maxLength: 400 }),
        delays,
        (requests, asks, stream) => {
          const limits = [{ requests, perMs: 60_000 }];
          const { arrived, state } = history(limits, asks, () => stream.next().value as number);
          if ((state.limits["60000"]?.countedUntil ?? 0) > 0) madeUp += 1;
          expectKept(limits, arrived);
        },
      ),
      { numRuns: 25 },
    );
    expect(madeUp).toBeGreaterThan(8);
  });

  test("a slot used long after its time is charged, so that no burst follows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 1, max: 12 }), (requests, held) => {
        const limits = [{ requests, perMs: 10_000 }];
        const state = freshState();
        const first = advanceAccount(state, reportOf("a", { limits, want: { any: held } }), startMs);
        // Process a uses all of them a second late, just when process b begins to use the full quota.
        const lateAt = startMs + 1_000;
        const starts = first.slots.any.map((at) => Math.max(at, lateAt));
        const late = first.slots.any.filter((at) => at < lateAt - first.lateMs).length;
        let nowMs = lateAt;
        for (let turn = 0; turn < 60; turn += 1) {
          const charged = { any: turn === 0 ? late : 0, read: 0, write: 0 };
          starts.push(
            ...advanceAccount(state, reportOf("b", { limits, want: { any: 40 }, charged }), nowMs).slots.any,
          );
          nowMs += 250;
        }
        expect(mostIn(starts, 10_000)).toBeLessThanOrEqual(requests);
      }),
    );
  });

  test("a day's quota is counted, not spread over the day", () => {
    const limits = [{ requests: 1_000, perMs: 86_400_000 }];
    const state = freshState();
    const give = (used: number, nowMs: number) =>
      advanceAccount(
        state,
        reportOf("a", { limits, want: { any: 400 }, used: used === 0 ? [] : [[nowMs - 250, used]] }),
        nowMs,
      ).slots.any;
    expect(give(0, startMs)).toHaveLength(400);
    expect(give(400, startMs + 1_000)).toHaveLength(400);
    expect(give(400, startMs + 2_000)).toHaveLength(190);
    expect(give(190, startMs + 3_000)).toHaveLength(0);
    expect(give(0, startMs + 86_400_000 + 120_000)).toHaveLength(400);
  });
});

test("a quota by cost counts each request as its cost, in all processes together", () => {
  const limits: RateLimit[] = [{ requests: 100, perMs: 600_000, by: "cost" }];
  const state = freshState();
  const ask = (process: string, want: Record<Lane, number>, more: Partial<ProcessReport> = {}) =>
    advanceAccount(state, reportOf(process, { limits, want, ...more }), startMs).slots;
  const first = ask("a", { any: 10, "any*20": 2 });
  expect([first.any.length, first["any*20"]?.length]).toEqual([10, 2]);
  // 50 of the 99 are in process a's hands.
  const second = ask("b", { "any*20": 5 });
  expect(second["any*20"]).toHaveLength(2);
  const used = { any: [[startMs, 10] as const], "any*20": [[startMs, 2] as const] };
  ask("a", {}, { usedBy: used });
  expect(ask("c", { any: 99 }).any).toHaveLength(9);
});

test("a request that costs more than the whole quota starts when nothing else was used", () => {
  const limits: RateLimit[] = [{ requests: 10, perMs: 600_000, by: "cost" }];
  const state = freshState();
  const { slots } = advanceAccount(state, reportOf("a", { limits, want: { "any*40": 2 } }), startMs);
  expect(slots["any*40"]).toHaveLength(1);
});

test("what other calls use leaves the quota of a class, and of writes, as it is", () => {
  const limits: RateLimit[] = [
    { requests: 100, perMs: 600_000, class: "export" },
    { requests: 100, perMs: 600_000, only: "write" },
  ];
  const state = freshState();
  const usedBy = { read: [[startMs, 5_000] as const] };
  const want = { read: 500, "read:export": 500, write: 500 };
  const report = reportOf("a", { limits, want, used: usedBy.read, usedBy });
  const { slots } = advanceAccount(state, report, startMs);
  expect(slots.read).toHaveLength(500);
  expect(slots["read:export"]).toHaveLength(99);
  expect(slots.write).toHaveLength(99);
});

test("a process that waits for a rare class of calls does not slow down others' calls of another", () => {
  const limits: RateLimit[] = [
    { requests: 6_000, perMs: 60_000 },
    { requests: 10, perMs: 60_000, class: "export" },
  ];
  const state = freshState();
  let got = 0;
  for (let at = 0; at < 30_000; at += 500) {
    advanceAccount(state, reportOf("a", { limits, want: { "any:export": 50 } }), startMs + at);
    const { slots } = advanceAccount(state, reportOf("b", { limits, want: { any: 200 } }), startMs + at + 10);
    got += slots.any.length;
  }
  expect(got).toBeGreaterThan(2_800);
});

test("the whole quota except the margin is granted", () => {
  const limits = [{ requests: 700, perMs: 60_000 }];
  const state = freshState();
  const slots: number[] = [];
  for (let nowMs = startMs; nowMs < startMs + 180_000; nowMs += 400)
    slots.push(...advanceAccount(state, reportOf("a", { limits, want: { any: 30 } }), nowMs).slots.any);
  expect(slots.length).toBeGreaterThan(3 * 700 * 0.995);
});

test("starts lost while a request waited are made up for", () => {
  const limits = [{ requests: 700, perMs: 60_000 }];
  // Every ten seconds one process stalls for a second and a half.
  const asks = Array.from({ length: 600 }, (_, index) => ({
    process: index % 2 === 0 ? "a" : "b",
    afterMs: index % 40 === 0 ? 1_500 : 250,
    want: 60,
    fate: index % 40 === 0 ? ("lost" as const) : ("used" as const),
  }));
  const { arrived } = history(limits, asks, () => 0);
  const counted = arrived.filter(({ at }) => at > startMs + 60_000 && at <= startMs + 120_000);
  expect(counted.length).toBeGreaterThan(0.975 * 700);
});

test("a returned slot is granted to another process", () => {
  const limits = [{ requests: 6, perMs: 60_000 }];
  const state = freshState();
  const [, second] = [
    advanceAccount(state, reportOf("a", { limits, want: { any: 1 } }), startMs).slots.any,
    advanceAccount(state, reportOf("a", { limits, want: { any: 1 } }), startMs + 9_500).slots.any,
  ];
  expect(second).toHaveLength(1);
  advanceAccount(
    state,
    reportOf("a", { limits, returned: { any: second, read: [], write: [] } }),
    startMs + 9_600,
  );
  expect(
    advanceAccount(state, reportOf("b", { limits, want: { any: 1 } }), startMs + 9_700).slots.any,
  ).toEqual(second);
});

describe("fairness between processes", () => {
  /** Slots per process in a minute, when each asks twice a second for more than there is, once all are known. */
  const share = (weights: Readonly<Record<string, number>>, requests: number, stopsAfterMs = 60_000) => {
    const limits = [{ requests, perMs: 10_000 }];
    const state = freshState();
    const got = Object.fromEntries(Object.keys(weights).map((process) => [process, 0]));
    for (let at = -3_000; at < 60_000; at += 500)
      for (const [index, [process, weight]] of Object.entries(weights).entries()) {
        if (index > 0 && at >= stopsAfterMs) continue;
        const report = reportOf(process, { limits, weight, want: { any: 300 } });
        const { slots } = advanceAccount(state, report, startMs + at + index * 7);
        if (at >= 0) got[process] = (got[process] ?? 0) + slots.any.length;
      }
    return got;
  };

  test("each run gets the same, in whichever process it is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 2, maxLength: 5 }),
        fc.constantFrom(20, 100, 500),
        (weights, requests) => {
          const got = share(
            Object.fromEntries(weights.map((weight, index) => [`p${index}`, weight])),
            requests,
          );
          const perRun = weights.map((weight, index) => (got[`p${index}`] as number) / weight);
          const all = weights.reduce((sum, weight) => sum + weight, 0);
          const due = (requests * 6) / all;
          for (const each of perRun) {
            expect(each).toBeGreaterThan(due * 0.85 - 3);
            expect(each).toBeLessThan(due * 1.15 + 3);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a process that is gone holds no other up: no slot is lost", () => {
    const { a, b } = share({ a: 1, b: 10 }, 100, 10_000);
    expect((a as number) + (b as number)).toBeGreaterThan(580);
  });
});

test("slots are granted in turn to reads and writes that share a quota", () => {
  const limits: RateLimit[] = [
    { requests: 20, perMs: 10_000 },
    { requests: 1_000, perMs: 10_000, only: "write" },
  ];
  const state = freshState();
  state.members["a"] = {
    at: startMs,
    until: startMs + 1_000,
    weight: 1,
    served: {},
    hungry: [],
    open: {},
    places: {
      source: { have: 0, want: 0, since: 0 },
      destination: { have: 0, want: 0, since: 0 },
    },
  };
  declareLimits(state, limits, startMs);
  const known = countingLimits(state, limits);
  const ask = { process: "a", want: { read: 10, write: 10 }, lagMs: 0 };
  const { slots, nextMs } = grantSlots(state, known, ask, startMs, lateMs(known));
  expect(Math.abs(slots.read.length - slots.write.length)).toBeLessThanOrEqual(1);
  expect(slots.read.length + slots.write.length).toBeLessThan(10);
  expect(nextMs).not.toBeNull();
});
