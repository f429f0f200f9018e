import { describe, expect, test } from "vitest";
import { group, running, standing, waiting } from "../../../../../test/runs/run-groups.ts";
import { noFigures } from "../../imports/index.ts";
import { estimateEnd, type Quota } from "./estimate-end.ts";
import { measureStreams } from "./measure-run.ts";
import { progressFrom } from "./progress.ts";
import type { RunGroup } from "./run-group.ts";
import type { RunKind } from "../run.ts";
import type { StandingRow } from "./store-progress.ts";

describe("how far a run has come", () => {
  test("a full: the source's number, with skipped and failed records beside those done", () => {
    const groups = [
      group("copy", "users", { expected: 5, read: 5, created: 2, matched: 2, skipped: 1 }),
      group("copy", "tickets", {
        ...running,
        step: 2,
        expected: 100,
        read: 40,
        created: 30,
        failed: 2,
        pace: 4,
        seconds: 10,
      }),
      group("sweep", "users", { ...waiting, step: 3, expected: 5 }),
      group("sweep", "tickets", { ...waiting, step: 4, expected: 100 }),
      group("verify", "tickets", { ...waiting, step: 5, expected: 100 }),
    ];
    expect(progressFrom(standing("full", groups))).toMatchObject({
      phase: "full",
      state: "running",
      step: "copy",
      waitingFor: null,
      done: 42,
      skipped: 1,
      failed: 2,
      total: 105,
      corrected: 0,
      perMinute: 240,
    });
  });

  test("a source's wrong number is corrected when the stream ends, and the correction is reported", () => {
    const less = measureStreams("full", [group("copy", "tickets", { expected: 100, read: 98 })], noFigures);
    expect(less).toMatchObject([{ state: "ended", done: 98, total: 98, corrected: -2 }]);
    const more = measureStreams(
      "full",
      [group("copy", "tickets", { ...running, expected: 100, read: 103 })],
      noFigures,
    );
    expect(more).toMatchObject([{ state: "running", done: 103, total: 103, corrected: 3 }]);
    const stopped = measureStreams(
      "full",
      [group("copy", "tickets", { stopped: true, expected: 100, read: 40 })],
      noFigures,
    );
    expect(stopped).toMatchObject([{ done: 40, total: 100, corrected: 0, uncertain: true }]);
  });

  test("a delta goes by what it looks through, not by the little that it copies", () => {
    const copy = group("copy", "tickets", { read: 3, created: 2, updated: 1 });
    const sweep = (given: Partial<RunGroup>) =>
      group("sweep", "tickets", { step: 2, expected: 100, ...given });
    const [before] = measureStreams("delta", [copy, sweep(waiting)], noFigures);
    expect(before).toMatchObject({ done: 3, total: 100, state: "running" });
    const [half] = measureStreams("delta", [copy, sweep({ ...running, read: 50 })], noFigures);
    expect(half).toMatchObject({ done: 50, total: 100 });
    const [end] = measureStreams("delta", [copy, sweep({ read: 101, created: 1 })], noFigures);
    expect(end).toMatchObject({ done: 100, total: 100, corrected: 0, state: "ended" });
  });

  test("a retry takes up failed records and those with a missing parent", () => {
    const finding = { stream: "tickets", examples: [] };
    const figures = {
      ...noFigures,
      findings: [
        { ...finding, kind: "failed", code: "rejected", count: 4 },
        { ...finding, kind: "skipped", code: "parent_missing", count: 3 },
        { ...finding, kind: "skipped", code: "user_unmatched", count: 9 },
        { ...finding, kind: "failed", code: "rejected", count: 5, stream: "comments" },
      ],
    } as const;
    const [measured] = measureStreams(
      "retry_failed",
      [group("copy", "tickets", { ...running, read: 2, created: 2 })],
      figures,
    );
    expect(measured).toMatchObject({ done: 2, total: 7 });
  });

  test("an undo counts what is there, and what stays", () => {
    const figures = { ...noFigures, items: { tickets: 10, comments: 3 } };
    const groups = [
      group("remove", "comments", { read: 5, removed: 3 }),
      group("remove", "tickets", { ...running, step: 2, read: 8, removed: 4, kept: 2 }),
    ];
    expect(progressFrom(standing("undo", groups, { figures }))).toMatchObject({
      phase: "undo",
      step: "remove",
      done: 7,
      skipped: 2,
      failed: 0,
      total: 13,
    });
  });

  test("requested but not begun, preparing, and at the end: no number is invented", () => {
    const nothing = { done: 0, failed: 0, skipped: 0, total: 0, perMinute: null, etaSeconds: null };
    expect(progressFrom(standing("full", [], { run: null }))).toMatchObject({
      ...nothing,
      step: "prepare",
      startedAt: null,
    });
    expect(progressFrom(standing("full", [group("prepare", "", running)]))).toMatchObject({
      ...nothing,
      step: "prepare",
    });
    expect(progressFrom(standing("full", [], { run: null, liveKind: null }))).toBeNull();
  });

  test("paused, waiting for a person and stopping say so, and promise nothing", () => {
    const groups = [group("copy", "tickets", { ...running, expected: 100, read: 50, pace: 10, seconds: 5 })];
    const { run } = standing("full", groups);
    if (!run) throw new Error("no run");
    const silent = { perMinute: null, etaSeconds: null };
    const shown = (given: Partial<StandingRow>) => progressFrom(standing("full", groups, given));
    expect(shown({})).toMatchObject({ state: "running", etaSeconds: 5 });
    expect(shown({ run: { ...run, wanted: "pause" } })).toMatchObject({ ...silent, state: "paused" });
    expect(shown({ run: { ...run, state: "waiting", waitingFor: "source" } })).toMatchObject({
      ...silent,
      state: "waiting",
      waitingFor: "source",
    });
    expect(shown({ run: { ...run, wanted: "stop" } })).toMatchObject({ ...silent, state: "stopping" });
    expect(shown({ stopping: true })).toMatchObject({ ...silent, state: "stopping" });
  });
});

describe("when it will have ended", () => {
  const copying = (given: Partial<RunGroup> = {}) =>
    group("copy", "tickets", { ...running, expected: 1_000, read: 400, pace: 10, seconds: 40, ...given });
  const eta = (kind: RunKind, groups: readonly RunGroup[], quota: Quota | null = null, figures = noFigures) =>
    estimateEnd(kind, groups, { streams: measureStreams(kind, groups, figures), quota });
  const quota = (requestsPerMinute: number, records = 1): Quota => ({
    requestsPerMinute,
    recordsPerRequest: () => records,
  });

  test("the rest, at the speed of the last minutes", () => {
    expect(eta("full", [copying()])).toBe(60);
  });

  test("later steps count, parallel ones once", () => {
    const next = group("copy", "comments", { ...waiting, step: 2, expected: 300 });
    expect(eta("full", [copying(), next])).toBe(60 + 30);
    const checks = ["tickets", "comments"].map((stream) =>
      group("verify", stream, { ...waiting, step: 3, expected: 300 }),
    );
    expect(eta("full", [copying(), next, ...checks])).toBe(60 + 30 + 30);
  });

  test("checking uses the speed of checking, once known", () => {
    const done = group("copy", "tickets", { expected: 100, read: 100, seconds: 100 });
    const checking = group("verify", "tickets", {
      ...running,
      step: 2,
      expected: 100,
      read: 50,
      pace: 10,
      seconds: 5,
    });
    expect(eta("full", [done, checking])).toBe(5);
  });

  test("null: no number from the source, nothing measured, nothing moving, or links being set", () => {
    expect(eta("full", [copying({ expected: null })])).toBeNull();
    expect(eta("full", [copying({ pace: null })])).toBeNull();
    expect(eta("full", [copying({ pace: 0 })])).toBeNull();
    expect(
      eta("full", [
        copying({ read: 1_000, running: false }),
        group("link", "tickets", { ...running, step: 2 }),
      ]),
    ).toBeNull();
    expect(eta("full", [copying(), group("copy", "comments", { ...waiting, step: 2 })])).toBeNull();
    expect(
      eta("delta", [
        copying({ expected: null }),
        group("sweep", "tickets", { ...waiting, step: 2, expected: 9 }),
      ]),
    ).toBeNull();
    expect(eta("full", [copying({ pace: 1e-9 })])).toBeNull();
  });

  test("never sooner than the account's quota allows; before any measurement, by the quota alone", () => {
    expect(eta("full", [copying()], quota(60))).toBe(600);
    expect(eta("full", [copying()], quota(6_000))).toBe(60);
    expect(eta("full", [copying()], quota(60, 20))).toBe(60);
    expect(eta("full", [copying({ read: 0, pace: null })], quota(60))).toBe(1_020);
    expect(eta("full", [copying({ pace: null })], quota(60))).toBeNull();
    expect(eta("full", [copying({ read: 0, pace: null })], quota(0))).toBeNull();
  });

  test("an undo, and a sample that first removes the last one", () => {
    const figures = { ...noFigures, items: { tickets: 100 } };
    const removing = group("remove", "tickets", { ...running, read: 50, removed: 50, pace: 5, seconds: 10 });
    expect(eta("undo", [removing], null, figures)).toBe(10);
    const sample = [removing, group("copy", "tickets", { ...waiting, step: 2, expected: 20 })];
    expect(eta("sample", sample, null, figures)).toBeNull();
  });

  test("is rounded as people say it", () => {
    const left = (seconds: number) => eta("full", [copying({ expected: 400 + seconds * 10 })]);
    expect([0, 1, 119, 121, 7_200, 7_201].map(left)).toEqual([0, 5, 120, 180, 7_200, 7_500]);
  });
});
