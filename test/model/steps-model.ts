import type { Model, Step } from "./check-model.ts";

/** The rules of advancing a run from step to step and of ending it; each can be disabled. */
export const stepsGuards = {
  /** A partition ends under the lock of the run's row, so that the last one sees that it is the last. */
  runLocked: true,
  /** The transaction that ends the last partition of a step starts the next step. */
  nextStartedAtOnce: true,
  /** A stop ends partitions that wait to start, since no chunk works on them. */
  waitingStopped: true,
  /** A partition that can't continue stops the whole run, so that the others settle and end too. */
  failureStopsAll: true,
};
export type StepsGuards = { readonly [Guard in keyof typeof stepsGuards]: boolean };

type PartitionState = "waiting" | "running" | "ending" | "done" | "stopped";

interface StepsState {
  /** Two of the first step, one of the second. */
  readonly partitions: readonly [PartitionState, PartitionState, PartitionState];
  /** The view of the others in a transaction that is about to commit an end. */
  readonly seen: readonly [string, string];
  readonly wanted: "run" | "stop";
  readonly failed: boolean;
  readonly run: "running" | "done" | "stopped" | "failed";
  /** Only without `nextStartedAtOnce`: a process is about to start the next step. */
  readonly owed: boolean;
}

type No = 0 | 1 | 2;

const isOver = (state: string): boolean => state === "done" || state === "stopped";

const withPartition = (state: StepsState, no: No, to: PartitionState): StepsState => {
  const partitions: [PartitionState, PartitionState, PartitionState] = [...state.partitions];
  partitions[no] = to;
  return { ...state, partitions };
};

/** What follows from the end of a partition, by its transaction's view of the others. */
const followedUp = (state: StepsState, otherOfStep: string, guards: StepsGuards): StepsState => {
  let after = state;
  const stepIsOver = isOver(otherOfStep);
  if (stepIsOver && after.partitions[2] === "waiting") {
    if (after.wanted === "run") after = withPartition(after, 2, "running");
    else if (guards.waitingStopped) after = withPartition(after, 2, "stopped");
  }
  if (!(stepIsOver && isOver(after.partitions[2]))) return after;
  const stopped = after.partitions.includes("stopped");
  return { ...after, run: after.failed ? "failed" : stopped ? "stopped" : "done" };
};

const ending = (state: StepsState, no: No, guards: StepsGuards, step: Step<StepsState>): void => {
  const to: PartitionState = state.wanted === "stop" ? "stopped" : "done";
  if (no === 2) {
    step(`2 ends: ${to}`, followedUp(withPartition(state, no, to), "done", guards));
    return;
  }
  const other = state.partitions[1 - no] ?? "done";
  if (!guards.nextStartedAtOnce) {
    step(`${no} ends: ${to}`, { ...withPartition(state, no, to), owed: isOver(other) });
    return;
  }
  if (guards.runLocked) {
    step(`${no} ends: ${to}`, followedUp(withPartition(state, no, to), other, guards));
    return;
  }
  // Without the lock, two open transactions do not see each other's uncommitted changes.
  const seen: [string, string] = [...state.seen];
  seen[no] = other === "ending" ? "running" : other;
  step(`${no} begins to end`, { ...withPartition(state, no, "ending"), seen });
};

const committed = (state: StepsState, no: 0 | 1, guards: StepsGuards, step: Step<StepsState>): void => {
  const to: PartitionState = state.wanted === "stop" ? "stopped" : "done";
  const seen: [string, string] = [...state.seen];
  const saw = seen[no];
  seen[no] = "";
  step(`${no} commits its end`, followedUp({ ...withPartition(state, no, to), seen }, saw, guards));
};

/** A run of two partitions, then one more. */
export const stepsModel = (guards: StepsGuards): Model<StepsState> => ({
  start: {
    partitions: ["running", "running", "waiting"],
    seen: ["", ""],
    wanted: "run",
    failed: false,
    run: "running",
    owed: false,
  },
  next: (state, step) => {
    if (state.run !== "running") return;
    if (state.wanted === "run") step("stop", { ...state, wanted: "stop" });
    if (state.owed) {
      step("what follows", { ...followedUp(state, "done", guards), owed: false });
      step("crash", { ...state, owed: false });
    }
    for (const no of [0, 1, 2] as const) {
      if (state.partitions[no] === "running") {
        ending(state, no, guards, step);
        // A partition that can't continue has settled what it could, and does not come back.
        if (!state.failed && guards.failureStopsAll)
          step(`${no} can't go on`, { ...state, failed: true, wanted: "stop" });
        if (!state.failed && !guards.failureStopsAll)
          step(`${no} can't go on`, { ...withPartition(state, no, "waiting"), failed: true });
      }
      if (no < 2 && state.partitions[no] === "ending") committed(state, no as 0 | 1, guards, step);
    }
  },
  wrong: ({ run, partitions, failed }) => {
    if (run === "running") return null;
    if (partitions.some((partition) => !isOver(partition))) return "a run ends before its partitions";
    if (run === "done" && (failed || partitions.includes("stopped"))) return "marked done, but is not";
    return null;
  },
  goal: ({ run }) => run !== "running",
});
