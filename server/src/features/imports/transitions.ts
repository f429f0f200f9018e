import { bothConnected, type ImportState, isPaid, type Side, somethingWritten } from "./state.ts";
import { endingEarly } from "./transitions-ending.ts";
import { paying } from "./transitions-paying.ts";
import { type EventOf, row, runEnded, recordRunStart, type Transition } from "./transition.ts";

const sideConnected = (side: Side, connected: boolean) =>
  side === "source" ? { sourceConnected: connected } : { destinationConnected: connected };
const connectsBoth = (state: ImportState, event: EventOf<"connected">) =>
  bothConnected({ ...state, ...sideConnected(event.side, true) });
/** No full migration has started yet: what a person stopped or undid does not start by itself. */
const startsByItself = (state: ImportState) =>
  state.startFull &&
  isPaid(state) &&
  !state.bought &&
  !state.sponsoredFullStarted &&
  !somethingWritten(state);
/** It was to be stopped, but came to its end first: what the customer asked for is the undo. */
const isToBeUndone = (state: ImportState) => state.stopping === "undo";
/** Work not covered by a customer's payment is sponsored; the sponsor can't withdraw from here on. */
const sponsoredFrom = (state: ImportState) => ({
  sponsoredFullStarted: state.sponsoredFullStarted || !state.bought,
});

const connecting: readonly Transition[] = [
  row({
    from: ["collecting_credentials"],
    on: "connected",
    guard: "both sides connected, start_full and paid",
    when: (state, event) => connectsBoth(state, event) && state.startFull && isPaid(state),
    to: "in_preparation",
    set: (_, { side }) => sideConnected(side, true),
    effects: () => [{ kind: "start_after_preflight" }],
  }),
  row({
    from: ["collecting_credentials"],
    on: "connected",
    guard: "both sides connected",
    when: connectsBoth,
    to: "waiting_for_sample",
    set: (_, { side }) => sideConnected(side, true),
  }),
  row({
    from: ["in_preparation"],
    on: "connected",
    guard: "both sides connected, start_full and sponsored, no full ever started: pre-flight is tried again",
    when: (state, event) => connectsBoth(state, event) && startsByItself(state),
    to: "same",
    set: (_, { side }) => sideConnected(side, true),
    effects: () => [{ kind: "start_after_preflight" }],
  }),
  row({
    from: "any",
    on: "connected",
    to: "same",
    set: (_, { side }) => sideConnected(side, true),
    // The run may be waiting for this sign-in.
    effects: (state, { side }) => (state.liveRun === null ? [] : [{ kind: "resume_run", side }]),
  }),
  row({
    from: ["waiting_for_sample"],
    on: "disconnected",
    to: "collecting_credentials",
    set: (_, { side }) => sideConnected(side, false),
  }),
  row({
    from: "any",
    on: "disconnected",
    to: "same",
    set: (_, { side }) => sideConnected(side, false),
  }),
];

const sampling: readonly Transition[] = [
  row({
    from: ["waiting_for_sample"],
    on: "sample_started",
    to: "sample_in_progress",
    set: () => ({ liveRun: "sample" }),
    effects: () => recordRunStart("sample"),
  }),
  row({
    from: ["sample_in_progress"],
    on: "run_done",
    guard: "to be undone",
    when: isToBeUndone,
    to: "undo_in_progress",
    set: () => ({ liveRun: "undo", stopping: null, sampleCopy: "all" }),
    effects: () => recordRunStart("undo"),
  }),
  row({
    from: ["sample_in_progress"],
    on: "run_done",
    to: "sample_completed",
    set: () => ({ ...runEnded, sampleCopy: "all" }),
  }),
  row({ from: ["sample_completed"], on: "matching_changed", guard: "run again", to: "waiting_for_sample" }),
];

const migrating: readonly Transition[] = [
  row({
    from: ["in_preparation"],
    on: "start_due",
    guard: "paid",
    when: isPaid,
    to: "same",
    effects: () => [{ kind: "start_after_preflight", planned: true }],
  }),
  row({
    from: ["in_preparation"],
    on: "full_started",
    guard: "paid, both sides connected",
    when: (state) => isPaid(state) && bothConnected(state),
    to: "migration_in_progress",
    set: (state) => ({ liveRun: "full", ...sponsoredFrom(state) }),
    effects: () => recordRunStart("full"),
  }),
  row({
    from: ["migration_in_progress"],
    on: "run_done",
    guard: "to be undone",
    when: isToBeUndone,
    to: "undo_in_progress",
    set: () => ({ liveRun: "undo", stopping: null, fullCopy: "all" }),
    effects: () => recordRunStart("undo"),
  }),
  row({
    from: ["migration_in_progress"],
    on: "run_done",
    to: "migration_completed",
    set: () => ({ ...runEnded, fullCopy: "all" }),
  }),
  row({
    from: ["migration_completed"],
    on: "delta_started",
    guard: "paid, within the included window, both sides connected",
    when: (state, { withinWindow }) => withinWindow && isPaid(state) && bothConnected(state),
    to: "migration_in_progress",
    set: (state) => ({ liveRun: "delta", ...sponsoredFrom(state) }),
    effects: () => recordRunStart("delta"),
  }),
  row({
    from: ["migration_completed"],
    on: "retry_started",
    guard: "paid, within the included window, both sides connected",
    when: (state, { withinWindow }) => withinWindow && isPaid(state) && bothConnected(state),
    to: "migration_in_progress",
    set: (state) => ({ liveRun: "retry_failed", ...sponsoredFrom(state) }),
    effects: (_, { causes }) => recordRunStart("retry_failed", causes),
  }),
];

const stoppable = (state: ImportState) => state.liveRun !== null && state.liveRun !== "undo";

const stopping: readonly Transition[] = [
  row({
    from: ["sample_in_progress", "migration_in_progress"],
    on: "stop_requested",
    when: (state) => stoppable(state) && state.stopping === null,
    to: "same",
    set: () => ({ stopping: "stop" }),
    effects: () => [{ kind: "stop_run" }],
  }),
  row({
    from: ["sample_in_progress", "migration_in_progress"],
    on: "stop_and_undo_requested",
    guard: "destination connected",
    when: (state) => stoppable(state) && state.destinationConnected && state.stopping !== "undo",
    to: "same",
    set: () => ({ stopping: "undo" }),
    effects: () => [{ kind: "stop_run" }],
  }),
  ...(["pause_requested", "resume_requested"] as const).map((on) =>
    row({
      from: ["sample_in_progress", "migration_in_progress"],
      on,
      guard: "not stopping",
      when: (state) => stoppable(state) && state.stopping === null,
      to: "same",
      effects: () => [{ kind: on === "pause_requested" ? "pause_run" : "unpause_run" }],
    }),
  ),
];

const undoing: readonly Transition[] = [
  row({
    from: ["waiting_for_sample", "sample_completed", "in_preparation", "migration_completed"],
    on: "undo_started",
    guard: "something written, destination connected",
    when: (state) => somethingWritten(state) && state.destinationConnected,
    to: "undo_in_progress",
    set: () => ({ liveRun: "undo" }),
    effects: () => recordRunStart("undo"),
  }),
  row({
    from: ["undo_in_progress"],
    on: "run_done",
    to: "migration_cleaned",
    set: () => ({ ...runEnded, sampleCopy: "none", fullCopy: "none" }),
    effects: (state) => (state.fullCopy === "none" ? [] : [{ kind: "refund", because: "undone" }]),
  }),
  row({
    from: ["migration_cleaned"],
    on: "started_over",
    guard: "a side is gone",
    when: (state) => !bothConnected(state),
    to: "collecting_credentials",
  }),
  row({
    from: ["migration_cleaned"],
    on: "started_over",
    guard: "paid, and asked or start_full",
    when: (state) => isPaid(state) && (state.asked || state.startFull),
    to: "in_preparation",
  }),
  row({ from: ["migration_cleaned"], on: "started_over", to: "waiting_for_sample" }),
];

const attention: readonly Transition[] = [
  row({
    from: "any",
    on: "attention_required",
    to: "same",
    effects: (_, { reason, message }) => [
      {
        kind: "warn",
        code: "action_required",
        about: reason,
        ...(message === undefined ? {} : { message }),
      },
      { kind: "notify", type: "import.attention_required" },
    ],
  }),
];

const neverStarted = (state: ImportState) =>
  state.bought && state.fullCopy === "none" && state.liveRun !== "full";

/** Cancelled and archived are marks, not statuses: the status stays. */
const closing: readonly Transition[] = (["cancelled", "archived"] as const).map((on) =>
  row({
    from: "any",
    on,
    guard: on === "archived" ? "no live run" : "",
    when: (state) => on === "cancelled" || state.liveRun === null,
    to: "same",
    set: (state) => ({ closed: on, ...(stoppable(state) ? { stopping: "stop" } : {}) }),
    effects: (state) => [
      ...(stoppable(state) ? ([{ kind: "stop_run" }] as const) : []),
      ...(neverStarted(state) ? ([{ kind: "refund", because: "closed" }] as const) : []),
      // A live run's credentials are purged when it has settled.
      ...(state.liveRun === null ? ([{ kind: "purge_credentials" }] as const) : []),
      { kind: "notify", type: "import.closed" },
    ],
  }),
);

export const transitions: readonly Transition[] = [
  ...connecting,
  ...sampling,
  ...paying,
  ...migrating,
  ...endingEarly,
  ...stopping,
  ...undoing,
  ...attention,
  ...closing,
];
