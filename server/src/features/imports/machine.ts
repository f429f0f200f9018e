import type { StatusCode } from "@portage/contract";
import { type Effect, type ImportEvent, type ImportState, isPaid } from "./state.ts";
import { transitions } from "./transitions.ts";

export type Step =
  | {
      readonly kind: "moved";
      readonly state: ImportState;
      readonly path: readonly StatusCode[];
      readonly effects: readonly Effect[];
    }
  /** The event was known already, or has no effect here. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused" };

const endsRun = (event: ImportEvent) =>
  event.type === "run_done" || event.type === "run_failed" || event.type === "run_stopped";

/** A closed import takes one event more: the end of the run that was live when it was closed. */
const afterClosing = (state: ImportState, event: ImportEvent): Step =>
  endsRun(event) && state.liveRun !== null
    ? {
        kind: "moved",
        state: { ...state, liveRun: null, stopping: null },
        path: [],
        effects: [{ kind: "purge_credentials" }],
      }
    : { kind: "refused" };

const same = (a: ImportState, b: ImportState) =>
  (Object.keys(a) as (keyof ImportState)[]).every((key) => a[key] === b[key]);

/** Whoever asked and is paid for goes on from the sample, whatever came last: so order does not matter. */
const goesOn = (state: ImportState) => state.status === "sample_completed" && state.asked && isPaid(state);

/** What an event does to an import. Pure: the store applies the result, guarded, in one transaction. */
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
