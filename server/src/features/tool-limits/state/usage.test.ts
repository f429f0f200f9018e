import fc from "fast-check";
import { expect, test } from "vitest";
import { addUse, bucketOf, countBetween, packUsage, unpackUsage, type Usage } from "./usage.ts";

const nowMs = 1_700_000_000_000;
const hourMs = 3_600_000;

const times = fc.array(fc.integer({ min: 0, max: 2 * hourMs }), { maxLength: 300 });
const usageOf = (ages: readonly number[]): Usage =>
  addUse(
    [],
    ages.map((age) => [bucketOf(nowMs - age), 1] as const),
    nowMs,
    2 * hourMs + 60_000,
  );

test("packing loses nothing", () => {
  fc.assert(
    fc.property(times, (ages) => {
      const usage = usageOf(ages);
      expect(unpackUsage(packUsage(usage))).toEqual(usage);
    }),
  );
});

test("every request is counted once, however often and in whichever order reports are added", () => {
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: hourMs }),
      (ages, at, later) => {
        const part = (some: readonly number[]): Usage =>
          some.map((age) => [bucketOf(nowMs - age), 1] as const);
        const kept = 4 * hourMs;
        const first = addUse([], part(ages.slice(at)), nowMs, kept);
        const both = addUse(first, part(ages.slice(0, at)), nowMs + later, kept);
        expect(countBetween(both, nowMs - kept, nowMs + 60_000, nowMs + later)).toBe(ages.length);
      },
    ),
  );
});

test("a minute is counted to a quarter of a second", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 300 }),
      fc.integer({ min: 0, max: 60_000 }),
      (ages, from) => {
        const counted = countBetween(usageOf(ages), nowMs - from, nowMs + 1_000, nowMs);
        const within = (slackMs: number) => ages.filter((age) => age <= from + slackMs).length;
        expect(counted).toBeGreaterThanOrEqual(within(-250));
        expect(counted).toBeLessThanOrEqual(within(250));
      },
    ),
  );
});

test("steady use of two minutes is counted to one percent, at any time", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60_000 }),
      fc.integer({ min: 0, max: 5_000 }),
      (laterMs, untilAgo) => {
        const end = nowMs + laterMs;
        let usage: Usage = [];
        // Ten a second, reported every second.
        for (let at = end - 160_000; at < end; at += 1_000)
          usage = addUse(
            usage,
            Array.from({ length: 10 }, (_, index) => [bucketOf(at + index * 100), 1] as const),
            at + 1_000,
            hourMs,
          );
        const until = end - untilAgo;
        const counted = countBetween(usage, until - 120_000, until, end);
        expect(counted).toBeGreaterThan(1_188);
        expect(counted).toBeLessThan(1_212);
      },
    ),
    { numRuns: 20 },
  );
});

test("use older than the retention is dropped, and old use takes little space", () => {
  const day = Array.from(
    { length: 24 * 3600 },
    (_, second) => [bucketOf(nowMs - second * 1_000), 1] as const,
  );
  const usage = addUse([], day, nowMs, hourMs);
  expect(countBetween(usage, 0, nowMs + 1_000, nowMs)).toBeLessThanOrEqual(3_601);
  expect(JSON.stringify(packUsage(usage)).length).toBeLessThan(3_000);
});
