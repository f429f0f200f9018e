import {
  bothConnected,
  type Copy,
  type Effect,
  type ImportState,
  isPaid,
  type RunKind,
  somethingWritten,
} from "./state.ts";
import { row, runEnded, startRun, type Transition } from "./transition.ts";

const partly = (before: Copy, wrote: boolean): Copy => (before !== "none" || wrote ? "part" : "none");
const warn = (code: "run_failed" | "run_stopped", about: string): readonly Effect[] => [
  { kind: "warn", code, about },
];
const running =
  (...kinds: readonly RunKind[]) =>
  (state: ImportState) =>
    state.liveRun !== null && kinds.includes(state.liveRun);

/** Whatever was there may be there in part. */
const undoneByHalf = (state: ImportState) => ({
  ...runEnded,
  sampleCopy: partly(state.sampleCopy, false),
  fullCopy: partly(state.fullCopy, false),
});

/** A run that ends early, by itself (`run_failed`) or because it was told to (`run_stopped`). */
export const endingEarly: readonly Transition[] = (["run_failed", "run_stopped"] as const).flatMap((on) => [
  row({
    from: ["sample_in_progress"],
    on,
    guard: "to be undone, something was written",
    when: (state, { wrote }) => state.stopping === "undo" && (wrote || somethingWritten(state)),
    to: "undo_in_progress",
    set: (state, { wrote }) => ({
      liveRun: "undo",
      stopping: null,
      sampleCopy: partly(state.sampleCopy, wrote),
    }),
    effects: () => startRun("undo"),
  }),
  row({
    from: ["sample_in_progress"],
    on,
    to: "waiting_for_sample",
    set: (state, { wrote }) => ({ ...runEnded, sampleCopy: partly(state.sampleCopy, wrote) }),
    effects: () => warn(on, "sample"),
  }),
  row({
    from: ["migration_in_progress"],
    on,
    guard: "to be undone, something was written",
    when: (state, { wrote }) => state.stopping === "undo" && (wrote || somethingWritten(state)),
    to: "undo_in_progress",
    set: (state, { wrote }) => ({ liveRun: "undo", stopping: null, fullCopy: partly(state.fullCopy, wrote) }),
    effects: () => startRun("undo"),
  }),
  row({
    from: ["migration_in_progress"],
    on,
    guard: "full",
    when: running("full"),
    to: "in_preparation",
    set: (state, { wrote }) => ({ ...runEnded, fullCopy: partly(state.fullCopy, wrote) }),
    effects: () => warn(on, "full"),
  }),
  row({
    from: ["migration_in_progress"],
    on,
    guard: "delta or retry of failures",
    when: running("delta", "retry_failed"),
    to: "migration_completed",
    set: () => runEnded,
    effects: (state) => warn(on, state.liveRun ?? "delta"),
  }),
  // An undo is never ended early as long as the import is open; if ever one is, it can be started again.
  row({
    from: ["undo_in_progress"],
    on,
    guard: "paid, and asked or start_full",
    when: (state) => isPaid(state) && (state.asked || state.startFull),
    to: "in_preparation",
    set: undoneByHalf,
    effects: () => warn(on, "undo"),
  }),
  row({
    from: ["undo_in_progress"],
    on,
    guard: "a side is gone",
    when: (state) => !bothConnected(state),
    to: "collecting_credentials",
    set: undoneByHalf,
    effects: () => warn(on, "undo"),
  }),
  row({
    from: ["undo_in_progress"],
    on,
    to: "waiting_for_sample",
    set: undoneByHalf,
    effects: () => warn(on, "undo"),
  }),
]);
