import { bothConnected, type ImportState, isPaid, type RunKind, somethingWritten } from "./state.ts";

const connectBoth = "Connect both tools first.";
const underWay = "A copy is already running.";
const startOverFirst = "Everything was undone. Start over first.";
const unpaid = "The full move is not paid for yet.";

const whyNoSample = ({ status, liveRun }: ImportState): string => {
  if (liveRun !== null) return underWay;
  if (status === "collecting_credentials") return connectBoth;
  if (status === "sample_completed")
    return "The sample is there already. Change the matching to run it again.";
  return status === "migration_cleaned" ? startOverFirst : "A sample is no longer needed.";
};

const whyNoFull = (state: ImportState): string => {
  if (state.liveRun !== null) return underWay;
  if (state.status === "migration_completed")
    return "The full move is done already. You can move what has changed since.";
  if (state.status === "migration_cleaned") return startOverFirst;
  if (!isPaid(state)) return unpaid;
  return bothConnected(state) ? "Ask for the full move first." : connectBoth;
};

const whyNoLater = (state: ImportState, withinWindow: boolean): string => {
  if (state.liveRun !== null) return underWay;
  if (state.status !== "migration_completed") return "There is no finished move to continue from.";
  if (!withinWindow) return "The time in which later changes are included is over.";
  return bothConnected(state) ? unpaid : "Sign in to both tools again first.";
};

const whyNoUndo = (state: ImportState): string => {
  if (state.liveRun === "undo") return "The undo is already running.";
  if (state.liveRun !== null) return "A copy is running. Stop and undo it in one step.";
  if (!somethingWritten(state)) return "There is nothing to undo.";
  return "Sign in to the new tool again first: what was copied is removed there.";
};

/** Tells a person why a run can't start now. */
export const whyNotStarted = (kind: RunKind, state: ImportState, withinWindow: boolean): string => {
  switch (kind) {
    case "sample":
      return whyNoSample(state);
    case "full":
      return whyNoFull(state);
    case "delta":
    case "retry_failed":
      return whyNoLater(state, withinWindow);
    case "undo":
      return whyNoUndo(state);
  }
};

/** Tells a person why the live run can't be paused, resumed or stopped now. */
export const whyNotControlled = ({ liveRun, stopping, destinationConnected }: ImportState): string => {
  if (liveRun === null) return "Nothing is under way.";
  if (liveRun === "undo")
    return "An undo can't be paused or stopped: it goes on until everything is removed.";
  if (stopping !== null) return "It is being stopped already.";
  return destinationConnected
    ? "This can't be done right now. Try again in a moment."
    : "Sign in to the new tool again first: what was copied is removed there.";
};
