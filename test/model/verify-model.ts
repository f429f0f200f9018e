import type { Model, Step } from "./check-model.ts";

/** The rules of a check that first reads the source's pages and then the rest by ids; each can be disabled. */
export const verifyGuards = {
  /** The mark of a compared row and the count of its verdict are one statement. */
  countedWithMark: true,
  /** Only the attempt that holds the partition may count. */
  fenced: true,
  /** A record that pages show again is compared once. */
  onceByPages: true,
  /** Rows that pages settled are not compared by their ids. */
  onceById: true,
  /** Rows that pages did not settle are compared by their ids. */
  restAsked: true,
  /** Pages settle nothing about a record that is not the version that was copied: its id decides. */
  changedLeft: true,
  /** Pages settle nothing about a record that the sweep did not see: its id decides whether it is deleted. */
  unseenLeft: true,
  /** Only a mark of this run counts: an earlier run has compared an earlier copy. */
  markOfThisRun: true,
};
export type VerifyGuards = { readonly [Guard in keyof typeof verifyGuards]: boolean };

export interface VerifyEnvironment {
  /** How often the record may change in the source. */
  readonly changes: number;
  /** Which of the two pages show the record. */
  readonly shownOn: readonly number[];
  /** It was deleted before the sweep, though pages still show it. */
  readonly deleted: boolean;
  /** What the destination has: it kept the copy, or lost a part of it. */
  readonly copy: "kept" | "damaged";
  /** An attempt may end without a trace, or be taken for lost while it still works. */
  readonly crashes: boolean;
}

type Verdict = "same" | "differs" | "changed" | "deleted";
/** The pages, then the rows by their ids, then the end. */
type Cursor = 0 | 1 | "rows" | "end";

/** What an attempt knows and has not counted yet. */
interface Attempt {
  readonly at: Cursor;
  /** Null: nothing to count. */
  readonly verdict: Verdict | null;
  /** With `countedWithMark` disabled: it has counted, and not marked yet. */
  readonly counted: boolean;
}

interface VerifyState {
  readonly version: number;
  readonly left: number;
  /** The source had another version already when this run's check began. */
  readonly changedBefore: boolean;
  readonly run: 1 | 2;
  /** The ledger: the run whose check compared the copy with a page. */
  readonly mark: number;
  /** The partition. */
  readonly cursor: Cursor;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly holder: Attempt | null;
  /** Lost its lease, and does not know it yet. */
  readonly outdated: Attempt | null;
}

const copiedVersion = 1;
const none = { same: 0, differs: 0, changed: 0, deleted: 0 };
const after: Readonly<Record<Exclude<Cursor, "end">, Cursor>> = { 0: 1, 1: "rows", rows: "end" };

const isMarked = ({ mark, run }: VerifyState, { markOfThisRun }: VerifyGuards) =>
  markOfThisRun ? mark === run : mark > 0;

const judge = (state: VerifyState, { copy }: VerifyEnvironment, looksAtVersion: boolean): Verdict => {
  if (looksAtVersion && state.version !== copiedVersion) return "changed";
  return copy === "kept" && state.version === copiedVersion ? "same" : "differs";
};

/** Reads what the cursor is at, and compares. */
const compare = (
  state: VerifyState,
  guards: VerifyGuards,
  environment: VerifyEnvironment,
): Verdict | null => {
  const { cursor } = state;
  if (cursor === "rows") {
    if (guards.onceById && isMarked(state, guards)) return null;
    if (environment.deleted) return "deleted";
    return guards.restAsked ? judge(state, environment, true) : null;
  }
  if (cursor === "end" || !environment.shownOn.includes(cursor)) return null;
  if (environment.deleted && guards.unseenLeft) return null;
  if (guards.onceByPages && isMarked(state, guards)) return null;
  const verdict = judge(state, environment, guards.changedLeft);
  return verdict === "changed" ? null : verdict;
};

const markOf = (state: VerifyState, { at, verdict }: Attempt) =>
  verdict !== null && at !== "rows" ? state.run : state.mark;

/** The statement that commits a page: the count and the cursor, and the mark with them. */
const settle = (
  state: VerifyState,
  attempt: Attempt,
  who: "holder" | "outdated",
  guards: VerifyGuards,
  step: Step<VerifyState>,
) => {
  if (who === "outdated" && guards.fenced)
    return step("an outdated attempt is fenced", { ...state, outdated: null });
  const { at, verdict, counted } = attempt;
  if (counted)
    return step(`${who}: the mark follows`, { ...state, mark: markOf(state, attempt), [who]: null });
  const settled: VerifyState = {
    ...state,
    counts: verdict === null ? state.counts : { ...state.counts, [verdict]: state.counts[verdict] + 1 },
    cursor: at === "end" || state.cursor !== at ? state.cursor : after[at],
  };
  if (guards.countedWithMark || verdict === null)
    step(`${who}: counted and marked`, { ...settled, mark: markOf(state, attempt), [who]: null });
  else step(`${who}: counted, not marked yet`, { ...settled, [who]: { ...attempt, counted: true } });
};

const check = (
  state: VerifyState,
  guards: VerifyGuards,
  environment: VerifyEnvironment,
  step: Step<VerifyState>,
) => {
  const { holder, outdated, cursor } = state;
  if (outdated) settle(state, outdated, "outdated", guards, step);
  if (holder) {
    settle(state, holder, "holder", guards, step);
    if (!environment.crashes) return;
    step("crash", { ...state, holder: null });
    if (!outdated) step("the lease passes to another attempt", { ...state, holder: null, outdated: holder });
  } else if (cursor !== "end") {
    const verdict = compare(state, guards, environment);
    step("read and compared", { ...state, holder: { at: cursor, verdict, counted: false } });
  }
};

const wrongAtEnd = (
  { counts, changedBefore, version }: VerifyState,
  { copy, deleted }: VerifyEnvironment,
): string | null => {
  const total = counts.same + counts.differs + counts.changed + counts.deleted;
  if (total > 1) return "counted twice";
  if (total === 0) return "left out";
  if (deleted) return counts.deleted === 1 ? null : "a deleted record counts as compared";
  if (changedBefore && counts.changed === 0) return "a change in the source counts as compared";
  if (version === copiedVersion && copy === "damaged" && counts.differs === 0) return "a loss is not found";
  if (copy === "kept" && counts.differs > 0) return "a change in the source counts as a loss";
  return null;
};

/** One copied record, through the checks of two runs that did not write it again. */
export const verifyModel = (guards: VerifyGuards, environment: VerifyEnvironment): Model<VerifyState> => ({
  start: {
    version: copiedVersion,
    left: environment.changes,
    changedBefore: false,
    run: 1,
    mark: 0,
    cursor: 0,
    counts: none,
    holder: null,
    outdated: null,
  },
  next: (state, step) => {
    if (state.left > 0)
      step("source: the record changes", { ...state, version: state.version + 1, left: state.left - 1 });
    check(state, guards, environment, step);
    const isOver = state.cursor === "end" && !state.holder && !state.outdated;
    if (isOver && state.run === 1)
      step("the next run begins its check", {
        ...state,
        run: 2,
        cursor: 0,
        counts: none,
        changedBefore: state.version !== copiedVersion,
      });
  },
  wrong: (state) =>
    state.cursor === "end" && !state.holder && !state.outdated ? wrongAtEnd(state, environment) : null,
  goal: ({ run, cursor, holder, outdated }) => run === 2 && cursor === "end" && !holder && !outdated,
});
