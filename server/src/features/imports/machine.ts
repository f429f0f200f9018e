import type { StatusCode } from "@portage/contract";
import {
  type CopyExtent,
  type Effect,
  type ImportEvent,
  type ImportState,
  isPaid,
  type RunEnd,
} from "./state.ts";
import { transitions } from "./transitions.ts";

export type Step =
  | {
      readonly kind: "moved";
      readonly state: ImportState;
      readonly path: readonly StatusCode[];
      readonly effects: readonly Effect[];
    }
  /** The event is a repeat, or has no effect here. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused" };

export const endsRun = (event: ImportEvent): event is RunEnd =>
  event.type === "run_done" || event.type === "run_failed" || event.type === "run_stopped";

/** What the end of a run leaves in the destination, if no transition says so. */
const copiesLeft = (state: ImportState, event: ImportEvent): Partial<ImportState> => {
  const done = event.type === "run_done";
  const copy = (before: CopyExtent): CopyExtent =>
    done ? "all" : before !== "none" || ("wrote" in event && event.wrote) ? "part" : "none";
  if (state.liveRun === "sample") return { sampleCopy: copy(state.sampleCopy) };
  if (state.liveRun === "full") return { fullCopy: copy(state.fullCopy) };
  return state.liveRun === "undo" && done ? { sampleCopy: "none", fullCopy: "none" } : {};
};

/** A closed import accepts the end of the run that was live when it closed, and a refund. */
const afterClosing = (state: ImportState, event: ImportEvent): Step => {
  if (event.type === "refunded" && state.bought && (state.liveRun === null || state.liveRun === "undo"))
    return { kind: "moved", state: { ...state, bought: false }, path: [], effects: [] };
  return endsRun(event) && state.liveRun !== null
    ? {
        kind: "moved",
        state: { ...state, ...copiesLeft(state, event), liveRun: null, stopping: null },
        path: [],
        effects: [{ kind: "purge_credentials" }],
      }
    : { kind: "refused" };
};

const same = (a: ImportState, b: ImportState) =>
  (Object.keys(a) as (keyof ImportState)[]).every((key) => a[key] === b[key]);

/** An import that is asked and paid continues from the sample, whichever event came last: so order does not matter. */
const goesOn = (state: ImportState) => state.status === "sample_completed" && state.asked && isPaid(state);

/** Applies an event to a state. Pure: the store saves the result, guarded, in one transaction. */
export const step = (state: ImportState, event: ImportEvent): Step => {
  if (state.closed) return afterClosing(state, event);
  const found = transitions.find(
    (row) =>
      row.on === event.type &&
      (row.from === "any" || row.from.includes(state.status)) &&
      (row.when?.(state, event) ?? true),
  );
  if (!found) return { kind: "refused" };
  const path: StatusCode[] = found.to === "same" ? [] : [found.to];
  let next: ImportState = { ...state, ...found.set?.(state, event), status: path.at(-1) ?? state.status };
  if (goesOn(next)) {
    path.push("in_preparation");
    next = { ...next, status: "in_preparation" };
  }
  const effects = found.effects?.(state, event) ?? [];
  if (same(state, next) && effects.length === 0) return { kind: "unchanged" };
  const moves = path.map((to, index): Effect => {
    const from = path[index - 1] ?? state.status;
    return { kind: "notify", type: "import.status_changed", from, to };
  });
  return { kind: "moved", state: next, path, effects: [...moves, ...effects] };
};
