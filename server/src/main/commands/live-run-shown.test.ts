import type { OperatorImportDetail } from "@portage/contract/operator";
import { expect, test } from "vitest";
import { aboutText, liveRunText } from "./live-run-shown.ts";

type Run = OperatorImportDetail["runs"][number];
type Progress = NonNullable<OperatorImportDetail["progress"]>;
type Entry = OperatorImportDetail["timeline"][number];

const run: Run = {
  id: "run_2",
  number: 2,
  kind: "full",
  state: "running",
  wanted: "run",
  waiting_for: null,
  waiting_since: null,
  refusals: null,
  causes: null,
  failure: null,
  started_at: "2026-11-15T08:00:00.000Z",
  ended_at: null,
  partitions: [],
};
const progress: Progress = {
  phase: "full",
  state: "running",
  step: "copy",
  waiting_for: null,
  done: 1200,
  failed: 3,
  skipped: 17,
  total: 5000,
  per_minute: 90,
  eta_seconds: 2520,
  streams: [{ stream: "tickets", state: "running", done: 1200, failed: 3, skipped: 17, total: 5000 }],
};
const event = (at: string, what: string): Entry => ({
  at: `2026-11-15T${at}:00.000Z`,
  kind: "event",
  what,
  by: "customer",
  from_status: null,
  to_status: null,
  reason: null,
  request_id: null,
});
const linesOf = (changes: {
  readonly run?: Partial<Run>;
  readonly progress?: Partial<Progress>;
  readonly timeline?: readonly Entry[];
}) =>
  liveRunText({
    progress: { ...progress, ...changes.progress },
    runs: [{ ...run, ...changes.run }],
    timeline: [...(changes.timeline ?? [])],
  })
    .replaceAll(/ {2,}/g, "  ")
    .split("\n");

test("a running run shows its start, step, counts, speed and estimate, and each stream", () => {
  expect(linesOf({})).toEqual([
    "live run  full, run_2, began 2026-11-15 08:00:00Z",
    "state  running since 2026-11-15 08:00:00Z",
    "step  copy",
    "records  1200 of 5000 done, 17 skipped, 3 failed",
    "records a minute  90",
    "time left  about 42 min",
    "",
    "STREAM  STATE  DONE  SKIPPED  FAILED  OF",
    "tickets  running  1200  17  3  5000",
  ]);
});

test("a run that a person paused shows since when: the first request after it last went on", () => {
  const lines = linesOf({
    run: { wanted: "pause" },
    progress: { state: "paused", per_minute: null, eta_seconds: null },
    timeline: [
      event("11:00", "pause_requested"),
      event("10:00", "pause_requested"),
      event("09:30", "resume_requested"),
      event("09:00", "pause_requested"),
      event("07:00", "pause_requested"),
    ],
  });
  expect(lines).toContain("state  paused since 2026-11-15 10:00:00Z");
  expect(lines).toContain("records a minute  -");
  expect(lines).toContain("time left  unknown");
});

test("a run that rests because of refusals says so, since its last need of attention", () => {
  expect(
    linesOf({
      run: { wanted: "pause", refusals: { stream: "tickets", code: "forbidden", count: 20 } },
      progress: { state: "paused" },
      timeline: [event("09:00", "attention_required"), event("08:10", "attention_required")],
    }),
  ).toContain("state  paused since 2026-11-15 09:00:00Z: the destination refuses record after record");
});

test("a pause without a time, a wait for a sign-in, and a stop", () => {
  expect(linesOf({ run: { wanted: "pause" }, progress: { state: "paused" } })).toContain("state  paused");
  expect(
    linesOf({
      run: { state: "waiting", waiting_for: "source", waiting_since: "2026-11-15T09:00:00.000Z" },
      progress: { state: "waiting", waiting_for: "source" },
    }),
  ).toContain("state  waits for a new sign-in in the source since 2026-11-15 09:00:00Z");
  expect(linesOf({ run: { wanted: "stop" }, progress: { state: "stopping" } })).toContain("state  stopping");
});

test("a run that no worker has begun is only requested, and without a live run there is none", () => {
  const ended = { ...run, state: "done", ended_at: "2026-11-15T08:30:00.000Z" };
  expect(liveRunText({ progress, runs: [ended], timeline: [] })).toBe(
    "live run  full, requested; no worker has begun it yet",
  );
  expect(liveRunText({ progress: null, runs: [ended], timeline: [] })).toBe("live run  none");
});

test("an estimate has two units at most", () => {
  expect([0, 55, 90, 3600, 7500, 90_000, 172_800].map(aboutText)).toEqual([
    "about 0 s",
    "about 55 s",
    "about 1 min 30 s",
    "about 1 h",
    "about 2 h 5 min",
    "about 1 d 1 h",
    "about 2 d",
  ]);
});
