import {
  bothConnected,
  type CopyExtent,
  type Effect,
  type ImportState,
  isPaid,
  type RunKind,
  somethingWritten,
} from "./state.ts";
import { row, runEnded, recordRunStart, type Transition } from "./transition.ts";

const partly = (before: CopyExtent, wrote: boolean): CopyExtent =>
  before !== "none" || wrote ? "part" : "none";
const warn = (code: "run_failed" | "run_stopped", about: string): readonly Effect[] => [
  { kind: "warn", code, about },
];
const running =
  (...kinds: readonly RunKind[]) =>
  (state: ImportState) =>
    state.liveRun !== null && kinds.includes(state.liveRun);

/** Any previous copy may now be partial. */
const undoneByHalf = (state: ImportState) => ({
  ...runEnded,
  sampleCopy: partly(state.sampleCopy, false),
  fullCopy: partly(state.fullCopy, false),
});

/** A run that ends early, by itself (`run_failed`) or on request (`run_stopped`). */
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
    effects: () => recordRunStart("undo"),
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
    effects: () => recordRunStart("undo"),
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
  // An undo never ends early while the import is open; should one ever, it can be started again.
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
