import type { WizardRunProgress, WizardStreamProgress } from "@portage/contract/wizard";
import fc from "fast-check";
import { expect, test } from "vitest";
import { handledOf, isCounted, runExtent, runShare, streamShare } from "./share-of.ts";

const count = fc.nat(1_000_000);
const stream = { done: 3, failed: 1, skipped: 1, total: 10, uncertain: false, state: "running" };
const given = (change: object) => ({ ...stream, ...change }) as WizardStreamProgress;

test("the share of an active run stays below 100%, whatever its counts; without counts it is null", () => {
  fc.assert(
    fc.property(count, count, count, count, (done, failed, skipped, total) => {
      const share = runShare({ done, failed, skipped, total, streams: [] as unknown } as WizardRunProgress);
      if (total === 0) expect(share).toBeNull();
      else expect(share).toBeLessThan(1);
    }),
  );
});

test("a kind reaches 100% when it has ended; with an unknown total the share is null", () => {
  expect(handledOf(given({}))).toBe(5);
  expect(streamShare(given({}))).toBe(0.5);
  expect(streamShare(given({ state: "ended" }))).toBe(1);
  expect(streamShare(given({ uncertain: true, total: 5 }))).toBeNull();
  expect(streamShare(given({ total: 0, state: "waiting" }))).toBe(0);
});

test("an aborted kind does not reach 100%: it keeps the total from the source, if there was one", () => {
  const stopped = given({ uncertain: true, state: "ended" });
  expect([isCounted(stopped), streamShare(stopped)]).toEqual([true, 0.5]);
  const unsaid = given({ uncertain: true, state: "ended", total: 5 });
  expect([isCounted(unsaid), streamShare(unsaid)]).toEqual([false, null]);
});

test("the share of the run is null while one kind of record is not counted", () => {
  const counted = given({ done: 70, failed: 0, skipped: 0, total: 70, state: "ended" });
  const uncounted = given({ done: 0, failed: 0, skipped: 0, total: 0, uncertain: true, state: "waiting" });
  const run = (streams: readonly WizardStreamProgress[], step = "copy") => {
    const sum = (of: (each: WizardStreamProgress) => number) =>
      streams.reduce((all, each) => all + of(each), 0);
    return {
      done: sum(({ done }) => done),
      failed: 0,
      skipped: 0,
      total: sum(({ total }) => total),
      step,
      streams,
    } as WizardRunProgress;
  };
  expect(runShare(run([counted, uncounted]))).toBeNull();
  expect(runExtent(run([counted, uncounted]))).toEqual({ kind: "so_far", handled: 70 });
  // Once it is copied completely, its count is known.
  const copied = given({ done: 102, failed: 0, skipped: 0, total: 102, state: "ended" });
  expect(runExtent(run([counted, copied], "verify"))).toEqual({ kind: "share", share: 0.99 });
  // Before the copy, records are counted or selected.
  expect(runExtent(run([], "prepare"))).toEqual({ kind: "counting" });
  expect(runExtent(run([uncounted], "choose"))).toEqual({ kind: "counting" });
});
