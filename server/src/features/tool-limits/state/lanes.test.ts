import type { RateLimit } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { laneOf, laneRuleOf, laneWeight } from "./lanes.ts";

const total: RateLimit = { requests: 700, perMs: 60_000 };
const writes: RateLimit = { requests: 100, perMs: 60_000, only: "write" };
const exports: RateLimit = { requests: 10, perMs: 60_000, class: "export" };
const tokens: RateLimit = { requests: 30_000, perMs: 86_400_000, by: "cost" };

const search = { kind: "read", class: "search", cost: 20 } as const;
const create = { kind: "write", class: "export", cost: 5 } as const;

test("requests that no limit tells apart share a lane", () => {
  expect(laneOf(search, laneRuleOf([total]))).toBe("any");
  expect(laneOf(search, laneRuleOf([total, writes]))).toBe("read");
  expect(laneOf(search, laneRuleOf([total, exports]))).toBe("any");
  expect(laneOf(create, laneRuleOf([total, exports]))).toBe("any:export");
  expect(laneOf(search, laneRuleOf([tokens]))).toBe("any*20");
  expect(laneOf(create, laneRuleOf([total, writes, exports, tokens]))).toBe("write:export*5");
});

test("a limit counts a lane as it counts the lane's requests", () => {
  const limits = [total, writes, exports, tokens];
  const rule = laneRuleOf(limits);
  const weights = (call: typeof search | typeof create) =>
    limits.map((limit) => laneWeight(limit, laneOf(call, rule)));
  expect(weights(search)).toEqual([1, 0, 0, 20]);
  expect(weights(create)).toEqual([1, 1, 1, 5]);
  const free = { kind: "read", cost: 0 } as const;
  expect(limits.map((limit) => laneWeight(limit, laneOf(free, rule)))).toEqual([1, 0, 0, 0]);
});

test("dear requests share few lanes, and none counts for less than it costs", () => {
  const rule = laneRuleOf([tokens]);
  const lanes = new Set<string>();
  for (let cost = 1; cost <= 5_000; cost += 1) {
    const lane = laneOf({ kind: "read", cost }, rule);
    lanes.add(lane);
    const weight = laneWeight(tokens, lane);
    expect(weight).toBeGreaterThanOrEqual(cost);
    expect(weight).toBeLessThan(cost <= 50 ? cost + 1 : cost * 1.1);
  }
  expect(lanes.size).toBeLessThan(250);
});
