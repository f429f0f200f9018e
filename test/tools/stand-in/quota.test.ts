import fc from "fast-check";
import { expect, test } from "vitest";
import { createQuotaCounter } from "./quota.ts";

const perMs = 1_000;
const steps = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 });

const taken = (counter: ReturnType<typeof createQuotaCounter>, pauses: readonly number[]) => {
  const moments: number[] = [];
  const refusals: { at: number; retryMs: number }[] = [];
  let now = 5_000;
  for (const pause of pauses) {
    now += pause;
    const spent = counter.spend(now);
    if (spent.kind === "taken") moments.push(now);
    else refusals.push({ at: now, retryMs: spent.retryMs });
  }
  return { moments, refusals };
};

test("sliding: no window holds more than allowed, and each refused request would exceed the quota", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 7 }), (pauses, requests) => {
      const { moments, refusals } = taken(createQuotaCounter({ requests, perMs }), pauses);
      for (const from of moments)
        expect(moments.filter((at) => at >= from && at < from + perMs).length).toBeLessThanOrEqual(requests);
      for (const { at, retryMs } of refusals) {
        const recent = moments.filter((each) => each <= at && each > at - perMs);
        expect(recent.length).toBe(requests);
        expect(retryMs).toBe((recent[0] ?? Number.NaN) + perMs - at);
      }
    }),
  );
});

test("fixed: counts anew at each whole minute, so that the boundary lets twice as many through", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 7 }), (pauses, requests) => {
      const counter = createQuotaCounter({ requests, perMs, window: "fixed" });
      const { moments, refusals } = taken(counter, pauses);
      const inWindow = (at: number) =>
        moments.filter((each) => Math.floor(each / perMs) === Math.floor(at / perMs)).length;
      for (const at of moments) expect(inWindow(at)).toBeLessThanOrEqual(requests);
      for (const { at, retryMs } of refusals) {
        expect(inWindow(at)).toBe(requests);
        expect((at + retryMs) % perMs).toBe(0);
      }
    }),
  );
  const edge = createQuotaCounter({ requests: 2, perMs, window: "fixed" });
  expect([990, 995, 1_000, 1_005].map((at) => edge.spend(at).kind)).toEqual(Array(4).fill("taken"));
});
