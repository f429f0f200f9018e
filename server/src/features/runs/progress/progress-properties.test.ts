import fc from "fast-check";
import { expect, test } from "vitest";
import { group, standing, waiting } from "../../../../../test/runs/run-groups.ts";
import { progressFrom } from "./progress.ts";
import type { Task } from "../run.ts";

interface Settlement {
  readonly as: "created" | "updated" | "matched" | "skipped" | "failed" | "kept" | "unchanged";
  readonly count: number;
  readonly stream: number;
  readonly step: "settle" | "end";
  readonly pace: number | null;
}

/** What a settlement adds to a partition, as the tasks do: a read record is settled, or was unchanged. */
const settlement: fc.Arbitrary<Settlement> = fc.record({
  as: fc.constantFrom("created", "updated", "matched", "skipped", "failed", "kept", "unchanged"),
  count: fc.nat(50),
  stream: fc.nat(2),
  step: fc.constantFrom("settle", "settle", "settle", "end"),
  pace: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1e4, noNaN: true })),
});

/** Nothing to copy, and an unknown number to sweep: an end was once shown although none was known. */
const sweepOfTheUncounted: [(number | null)[], Settlement[], { perMinute: number; records: number }] = [
  [0, null, 0],
  [{ as: "created", count: 0, stream: 1, step: "end", pace: 0 }],
  { perMinute: 1, records: 0 },
];

const tasks: readonly Task[] = ["copy", "sweep", "verify"];

test.each(["full", "delta", "sample", "retry_failed"] as const)(
  "whatever a %s does: no number is negative or NaN, and nothing decreases silently",
  (kind) => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.nat(200), { nil: null }), { minLength: 3, maxLength: 3 }),
        fc.array(settlement, { maxLength: 80 }),
        fc.option(fc.record({ perMinute: fc.nat(1_000), records: fc.nat(50) }), { nil: null }),
        (expected, settlements, given) => {
          const quota = given && {
            requestsPerMinute: given.perMinute,
            recordsPerRequest: () => given.records,
          };
          const groups = tasks.flatMap((task, index) =>
            expected.map((count, stream) =>
              group(task, String(stream), { ...waiting, step: index * 3 + stream, expected: count }),
            ),
          );
          let last = progressFrom(standing(kind, groups), quota);
          for (const { as, count, stream, step, pace } of settlements) {
            const at = groups.findIndex(
              (each) => each.stream === String(stream) && (each.running || each.waiting),
            );
            const now = groups[at];
            if (!now) continue;
            const counted = now.task === "verify" || as === "unchanged" ? {} : { [as]: now[as] + count };
            groups[at] = {
              ...now,
              ...counted,
              read: now.read + count,
              seconds: now.seconds + 1,
              pace: step === "end" ? null : pace,
              running: step !== "end",
              waiting: false,
            };
            const shown = progressFrom(standing(kind, groups), quota);
            if (!shown || !last) throw new Error("no progress while a run is under way");
            for (const number of [shown.done, shown.failed, shown.skipped, shown.total])
              expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
            for (const number of [shown.etaSeconds, shown.perMinute])
              expect(number === null || (Number.isSafeInteger(number) && number >= 0)).toBe(true);
            // The end of an uncounted stream is unknown.
            if (shown.streams.some(({ uncertain }) => uncertain)) expect(shown.etaSeconds).toBeNull();
            expect(shown.done + shown.failed + shown.skipped).toBeLessThanOrEqual(shown.total);
            // A total is the first statement plus the reported corrections.
            if (kind !== "retry_failed" && expected.every((each) => each !== null))
              expect(shown.total - shown.corrected).toBe(expected.reduce((a, b) => a + b, 0));
            // Only the end of a sweep, which knows for certain, may decrease a number.
            const swept = kind === "delta" && step === "end" && now.task === "sweep";
            if (!swept) expect(shown.done).toBeGreaterThanOrEqual(last.done);
            expect(shown.failed + shown.skipped).toBeGreaterThanOrEqual(last.failed + last.skipped);
            last = shown;
          }
        },
      ),
      { numRuns: 300, examples: [sweepOfTheUncounted] },
    );
  },
);
