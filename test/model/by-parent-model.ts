import type { Model, Step } from "./check-model.ts";

/** The rules of a delta that reads a stream by the parents that it touched; each can be disabled. */
export const byParentGuards = {
  /** The records of a touched parent are read, all of them. */
  touchedAsked: true,
  /** A listed parent is touched, also if a link, a retry or a stopped run has written this version of it already. */
  listedTouched: true,
  /** Touched parents are enough only if the last finished run has swept the children. */
  sweptBefore: true,
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
  /** A link step, or a retry between the deltas, may write the parent as it is by then. */
  readonly rewrites: boolean;
  /** A person may stop the first delta. */
  readonly stops: boolean;
  /** The run before had left the children out. */
  readonly leftOut: boolean;
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
  /** The last finished run, and whether it swept the children. */
  readonly done: 0 | 1;
  readonly childrenSwept: boolean;
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

const isReadWhole = ({ childrenSwept }: ByParentState, { sweptBefore }: ByParentGuards) =>
  sweptBefore && !childrenSwept;

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
  if (isListed && (guards.listedTouched || parent !== parentRow.version))
    step("the parent is listed", onward(withParent(state)));
  else step("no parent to write", onward(state));
  if (passesOver && parentRow.version === 0) step("the list passes the parent over", onward(state));
};

const copyOther: Turn = (state, _, { shares }, step) => {
  step("the other stream keeps nothing", onward(state));
  if (shares && isTouched(state) && state.parent > 0)
    step("the other stream's answer is kept", onward({ ...state, kept: state.child }));
};

const copy: Turn = (state, guards, _, step) => {
  if (isReadWhole(state, guards)) step("every parent is asked", onward(withChild(state)));
  else if (guards.touchedAsked && isTouched(state) && state.parent > 0) {
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
  if (isReadWhole(state, guards)) return step("the children are swept", onward(marked(withChild(state))));
  const { parentRow, childRow, run, done } = state;
  const isMarked = guards.lastMarkOnly ? childRow.swept === done : childRow.swept < run;
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
  const left = state.left - 1;
  if (state.run === 1 && state.step === "copy parents" && !state.fresh)
    change(state, { ...state, left, due: true }, (what, to) => step(`before the first delta, ${what}`, to));
  change(state, { ...state, left, fresh: true }, step);
};

const change = (state: ByParentState, moved: ByParentState, step: Step<ByParentState>): void => {
  const { parent, child } = state;
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

const begun = (state: ByParentState): ByParentState => ({
  ...state,
  run: 2,
  step: "copy parents",
  fresh: false,
  sweptUp: false,
  seen: 0,
  kept: null,
});

/** Others than the delta's copy of parents write the parent, too. */
const others = (
  state: ByParentState,
  { rewrites, stops }: ByParentEnvironment,
  step: Step<ByParentState>,
) => {
  const { parent, parentRow, run } = state;
  if (run === 2) return;
  const mayLink = state.step === "check" || state.step === "end";
  if (rewrites && mayLink && parent > 0 && parentRow.version > 0 && parentRow.version !== parent)
    step("a link or a retry writes the parent", withParent(state));
  if (stops && state.step !== "end")
    step("the run is stopped", begun({ ...state, due: state.due || state.fresh }));
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
      done: 0,
      childrenSwept: !environment.leftOut,
      step: "copy parents",
      parentRow: { version: there, by: 0, swept: 0 },
      childRow: { version: environment.leftOut ? 0 : there, swept: 0 },
      kept: null,
      seen: 0,
      sweptUp: false,
      reported: "nothing",
    },
    next: (state, step) => {
      people(state, step);
      others(state, environment, step);
      if (state.step !== "end") turns[state.step](state, guards, environment, step);
      else if (state.run === 1)
        step("the next delta begins", {
          ...begun({ ...state, due: state.fresh, done: 1, childrenSwept: true }),
          kept: guards.keptForOneRun ? null : state.kept,
        });
    },
    wrong: (state) => (state.run === 2 && state.step === "end" ? wrongAtRest(state) : null),
    goal: ({ run, step }) => run === 2 && step === "end",
  };
};
