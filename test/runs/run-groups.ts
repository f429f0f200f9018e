import { noFigures } from "../../server/src/features/imports/index.ts";
import type { RunGroup } from "../../server/src/features/runs/progress/run-group.ts";
import type { RunKind, Task } from "../../server/src/features/runs/run.ts";
import type { StandingRow } from "../../server/src/features/runs/progress/store-progress.ts";

/** Totals over the partitions of a run that has not started. */
export const group = (task: Task, stream: string, given: Partial<RunGroup> = {}): RunGroup => ({
  task,
  stream,
  step: 1,
  running: false,
  waiting: false,
  stopped: false,
  expected: null,
  pace: null,
  seconds: 0,
  read: 0,
  created: 0,
  updated: 0,
  matched: 0,
  skipped: 0,
  failed: 0,
  removed: 0,
  kept: 0,
  ...given,
});

export const running = { running: true };
export const waiting = { waiting: true };

/** An import with a live run, as the store reads it. */
export const standing = (
  kind: RunKind,
  groups: readonly RunGroup[],
  given: Partial<StandingRow> = {},
): StandingRow => ({
  importId: "imp_x",
  family: "helpdesk",
  status: "migration_in_progress",
  closed: false,
  sponsorship: "undecided",
  activeAt: new Date(0),
  warnings: [],
  bought: false,
  liveKind: kind,
  stopping: false,
  linkMark: "",
  figures: noFigures,
  run: {
    id: "run_x",
    kind,
    state: "running",
    wanted: "run",
    waitingFor: null,
    refusals: null,
    startedAt: new Date(0),
  },
  groups,
  tallies: [],
  ...given,
});
