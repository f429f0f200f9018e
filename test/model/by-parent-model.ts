import type { Model, Step } from "./check-model.ts";

/** The rules of a delta that reads a stream by the parents that it touched; each can be disabled. */
export const byParentGuards = {
  /** The records of a touched parent are read, all of them. */
  touchedAsked: true,
  /** The hash of a parent's row includes `updatedAt`: a change of the child alone makes the run write the parent. */
  updatedAtInHash: true,
  /** If the parents' own sweep wrote a parent, touched parents are asked again. */
  lateAsked: true,
  /** A mark is carried over only if this run's sweep has seen the parent. */
  parentSeen: true,
  /** A mark is carried over only if this run has not touched the parent. */
  parentUntouched: true,
  /** Only the mark of the sweep before is carried over, none of an earlier one. */
  lastMarkOnly: true,
  /** What has no mark is read by its id before it counts as deleted. */
  confirmedById: true,
  /** Only the run that asked uses the rows that came with another stream's answer. */
  keptForOneRun: true,
  /** Such an answer is newer than the parent's row. */
  keptAfterParent: true,
};
export type ByParentGuards = { readonly [Guard in keyof typeof byParentGuards]: boolean };

export interface ByParentEnvironment {
  /** The parent exists before the first delta, or comes with it. */
  readonly begins: "copied" | "absent";
  /** How often the source may change. */
  readonly changes: number;
  /** A list of changes may pass over a parent that has no row yet. */
  readonly passesOver: boolean;
  readonly crashes: boolean;
  /** One answer tells of two streams: the copy may take what the other stream's read has kept. */
  readonly shares: boolean;
}

const steps = [
  "copy parents",
  "copy other",
  "copy",
  "mark",
  "sweep parents",
  "ask late",
  "carry",
  "check",
  "end",
] as const;

interface ByParentState {
  /** Versions in the source; 0: not there. Every change of the child is one of its parent. */
  readonly parent: number;
  readonly child: number;
  readonly left: number;
  /** The parent changed since the previous run began, and since this one did. */
  readonly due: boolean;
  readonly fresh: boolean;
  readonly run: 1 | 2;
  readonly step: (typeof steps)[number];
  /** The ledger: the version that was copied, the run that wrote it, the run whose sweep saw it. */
  readonly parentRow: { readonly version: number; readonly by: number; readonly swept: number };
  readonly childRow: { readonly version: number; readonly swept: number };
  /** The child's version in an answer that was kept; null: there is none. */
  readonly kept: number | null;
  /** The child's version in the answer that was copied. */
  readonly seen: number;
  /** The parents' sweep of this run wrote one. */
  readonly sweptUp: boolean;
  readonly reported: "there" | "deleted" | "nothing";
}

type Turn = (
  state: ByParentState,
  guards: ByParentGuards,
  environment: ByParentEnvironment,
  step: Step<ByParentState>,
) => void;

const onward = (state: ByParentState): ByParentState => ({
  ...state,
  step: steps[steps.indexOf(state.step) + 1] ?? "end",
});

const withParent = (state: ByParentState): ByParentState => ({
  ...state,
  parentRow: { ...state.parentRow, version: state.parent, by: state.run },
});

const isTouched = ({ parentRow, run }: ByParentState) => parentRow.by === run;

/** Copies the child as an answer has it; a child without a parent's row is never read. */
const withChild = (state: ByParentState, seen = state.child): ByParentState => ({
  ...state,
  seen,
  childRow: seen === 0 ? state.childRow : { ...state.childRow, version: seen },
});

const marked = (state: ByParentState): ByParentState =>
  state.seen > 0 && state.childRow.version > 0
    ? { ...state, childRow: { ...state.childRow, swept: state.run } }
    : state;

const copyParents: Turn = (state, guards, { passesOver, shares }, step) => {
  if (shares && !guards.keptAfterParent && state.kept === null && state.parentRow.version > 0)
    step("an answer is kept before the parent is read", { ...state, kept: state.child });
  const { parent, parentRow, due, fresh } = state;
  const isListed = parent > 0 && (due || fresh);
  const differs = guards.updatedAtInHash ? parent !== parentRow.version : parentRow.version === 0;
  if (isListed && differs) step("the parent is listed and written", onward(withParent(state)));
  else step("no parent to write", onward(state));
  if (passesOver && parentRow.version === 0) step("the list passes the parent over", onward(state));
};

const copyOther: Turn = (state, _, { shares }, step) => {
  step("the other stream keeps nothing", onward(state));
  if (shares && isTouched(state) && state.parent > 0)
    step("the other stream's answer is kept", onward({ ...state, kept: state.child }));
};

const copy: Turn = (state, { touchedAsked }, _, step) => {
  if (touchedAsked && isTouched(state) && state.parent > 0) {
    step("the touched parent is asked", onward(withChild(state)));
    if (state.kept !== null)
      step("what was kept is copied", onward({ ...withChild(state, state.kept), kept: null }));
  } else step("no touched parent", onward(onward(state)));
};

const mark: Turn = (state, _, { crashes }, step) => {
  step("what was seen is marked", onward(marked(state)));
  if (crashes) step("crash before the mark", onward(state));
};

const sweepParents: Turn = (state, _, __, step) => {
  const { parent, parentRow } = state;
  const next = { ...state, sweptUp: parent > 0 && parentRow.version === 0 };
  const seen = next.sweptUp ? withParent(next) : next;
  step(
    "the parents' sweep",
    onward(parent > 0 ? { ...seen, parentRow: { ...seen.parentRow, swept: state.run } } : seen),
  );
};

const askLate: Turn = (state, { lateAsked }, _, step) => {
  const asks = lateAsked && state.sweptUp && isTouched(state) && state.parent > 0;
  step(
    asks ? "touched parents are asked again" : "no late parent",
    onward(asks ? marked(withChild(state)) : state),
  );
};

const carry: Turn = (state, guards, _, step) => {
  const { parentRow, childRow, run } = state;
  const isMarked = guards.lastMarkOnly ? childRow.swept === run - 1 : childRow.swept < run;
  const isSeen = !guards.parentSeen || parentRow.swept === run;
  const isUntouched = !guards.parentUntouched || !isTouched(state);
  const carries = childRow.version > 0 && isMarked && isSeen && isUntouched;
  step(
    carries ? "the mark is carried over" : "nothing is carried over",
    onward(carries ? { ...state, childRow: { ...childRow, swept: run } } : state),
  );
};

const check: Turn = (state, { confirmedById }, _, step) => {
  const { childRow, child, run } = state;
  if (childRow.version === 0) return step("no row to check", { ...onward(state), reported: "nothing" });
  const isThere = childRow.swept === run || (confirmedById && child > 0);
  step(isThere ? "counted as there" : "counted as deleted", {
    ...onward(state),
    // Found by its id: that counts as seen by this run's sweep.
    childRow: isThere ? { ...childRow, swept: run } : childRow,
    reported: isThere ? "there" : "deleted",
  });
};

const turns: Readonly<Record<Exclude<ByParentState["step"], "end">, Turn>> = {
  "copy parents": copyParents,
  "copy other": copyOther,
  copy,
  mark,
  "sweep parents": sweepParents,
  "ask late": askLate,
  carry,
  check,
};

const people = (state: ByParentState, step: Step<ByParentState>): void => {
  if (state.left === 0 || (state.run === 2 && state.step === "end")) return;
  const { parent, child } = state;
  const moved = { ...state, left: state.left - 1, fresh: true };
  if (parent === 0 && state.parentRow.version === 0)
    step("source: a parent with a child", { ...moved, parent: 1, child: 1 });
  if (parent === 0) return;
  if (child > 0) {
    step("source: the child changes", { ...moved, parent: parent + 1, child: child + 1 });
    step("source: the child is deleted", { ...moved, parent: parent + 1, child: 0 });
  } else if (state.childRow.version === 0)
    step("source: a child comes", { ...moved, parent: parent + 1, child: 1 });
  step("source: the parent goes with its child", { ...moved, parent: 0, child: 0 });
};

const wrongAtRest = ({ child, childRow, reported, fresh }: ByParentState): string | null => {
  if (fresh) return null; // it changed while the last delta ran: left to the next one
  if (child > 0 && childRow.version !== child) return "a change of the child is lost";
  if (child > 0 && reported !== "there") return "counted as deleted, but exists";
  if (child === 0 && childRow.version > 0 && reported !== "deleted") return "a deletion is not reported";
  return null;
};

/** A parent and its child, through two deltas after a full run. */
export const byParentModel = (
  guards: ByParentGuards,
  environment: ByParentEnvironment,
): Model<ByParentState> => {
  const there = environment.begins === "copied" ? 1 : 0;
  return {
    start: {
      parent: there,
      child: there,
      left: environment.changes,
      due: false,
      fresh: false,
      run: 1,
      step: "copy parents",
      parentRow: { version: there, by: 0, swept: 0 },
      childRow: { version: there, swept: 0 },
      kept: null,
      seen: 0,
      sweptUp: false,
      reported: "nothing",
    },
    next: (state, step) => {
      people(state, step);
      if (state.step !== "end") turns[state.step](state, guards, environment, step);
      else if (state.run === 1)
        step("the next delta begins", {
          ...state,
          run: 2,
          step: "copy parents",
          due: state.fresh,
          fresh: false,
          sweptUp: false,
          seen: 0,
          kept: guards.keptForOneRun ? null : state.kept,
        });
    },
    wrong: (state) => (state.run === 2 && state.step === "end" ? wrongAtRest(state) : null),
    goal: ({ run, step }) => run === 2 && step === "end",
  };
};
