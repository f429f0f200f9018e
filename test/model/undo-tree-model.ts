import type { Model, Step } from "./check-model.ts";

/** The rules of removing records that depend on each other; each can be disabled. */
export const undoTreeGuards = {
  /** The undo walks the ledger backwards: children before their parents. */
  childrenFirst: true,
  /** The parent of a kept record is kept. */
  parentOfKeptKept: true,
  /** The author of a kept record is kept. */
  authorOfKeptKept: true,
  /** A record whose removal would delete people's own records is kept. */
  othersBelowKept: true,
  /** Matched records are linked, never removed. */
  matchedLeftAlone: true,
  /** A record that goes only with its parent is checked before the parent goes. */
  partsLookedAtFirst: true,
  /** A record that goes only with its parent is settled after the parent's removal is known. */
  partsSettledAfter: true,
};
export type UndoTreeGuards = { readonly [Guard in keyof typeof undoTreeGuards]: boolean };

type Row = "written" | "matched" | "undone" | "kept";
type Name = "parent" | "child" | "author";

interface Visit {
  readonly name: Name;
  /** This pass only checks which records must stay. */
  readonly onlyLooks?: boolean;
}

/** The case: whether the parent existed before the import, and whether the tool removes a child by itself. */
export interface UndoTreeCase {
  readonly parent: "written" | "matched";
  readonly child: "alone" | "with its parent";
}

interface UndoTreeState {
  readonly rows: { readonly parent: Row; readonly child: Row; readonly author: Row };
  /** The destination: the parent, our child below it, and perhaps a person's own child. */
  readonly parent: boolean;
  /** The person whom the child names; the import created the account. */
  readonly author: boolean;
  readonly child: "none" | "ours" | "edited";
  readonly persons: "none" | "there";
  /** Recorded: the parent contains a record that stays. */
  readonly parentNeeded: boolean;
  readonly edits: boolean;
  readonly at: number;
  readonly doing: "nothing" | "check" | "remove" | "record" | "end";
  readonly wrong: string | null;
}

const order = (guards: UndoTreeGuards, { child }: UndoTreeCase): readonly Visit[] => {
  const ours = { name: "child" } as const;
  const parent = { name: "parent" } as const;
  const author = { name: "author" } as const;
  if (child === "alone") return guards.childrenFirst ? [ours, parent, author] : [parent, ours, author];
  const look = guards.partsLookedAtFirst ? [{ ...ours, onlyLooks: true }] : [];
  return guards.partsSettledAfter ? [...look, parent, ours, author] : [...look, ours, parent, author];
};

const there = (state: UndoTreeState, name: Name): boolean =>
  name === "child" ? state.child !== "none" : state[name];

const onward = (state: UndoTreeState, row?: { name: Name; is: Row }): UndoTreeState => ({
  ...state,
  at: state.at + 1,
  doing: "check",
  rows: row ? { ...state.rows, [row.name]: row.is } : state.rows,
});

const check = (
  before: UndoTreeState,
  { name, onlyLooks = false }: Visit,
  { guards, given }: { guards: UndoTreeGuards; given: UndoTreeCase },
  step: Step<UndoTreeState>,
): void => {
  const edited = name === "child" && before.child === "edited";
  const state = edited ? { ...before, parentNeeded: true } : before;
  const row = state.rows[name];
  const kept =
    edited ||
    (name === "child" && given.child === "with its parent") ||
    (name === "parent" && guards.parentOfKeptKept && state.parentNeeded) ||
    (name === "author" && guards.authorOfKeptKept && state.rows.child === "kept") ||
    (name === "parent" && guards.othersBelowKept && state.persons === "there");
  if (onlyLooks) step(`${name}: looked at`, onward(state));
  else if (row !== "written" && !(row === "matched" && !guards.matchedLeftAlone))
    step(`${name}: nothing to do`, onward(state));
  else if (!there(state, name)) step(`${name}: gone`, onward(state, { name, is: "undone" }));
  else if (kept) step(`${name}: kept`, onward(state, { name, is: "kept" }));
  else step(`${name}: to be removed`, { ...state, doing: "remove" });
};

/** The tool removes everything below as well. */
const removed = (state: UndoTreeState, name: Name): UndoTreeState => {
  if (name === "child") return { ...state, child: "none" };
  if (name === "author")
    return {
      ...state,
      author: false,
      wrong: state.child === "none" ? state.wrong : "a kept record loses its author",
    };
  let wrong = state.wrong;
  if (state.rows.parent === "matched") wrong = "a person's own record is removed";
  else if (state.persons === "there") wrong = "a person's record is removed with its parent";
  else if (state.child === "edited") wrong = "a person's edit is removed with its parent";
  return { ...state, parent: false, child: "none", persons: "none", wrong };
};

const people = (state: UndoTreeState, { child }: UndoTreeCase, step: Step<UndoTreeState>): void => {
  // No tool protects the window between the check and the removal: this limitation is accepted. It is longer for
  // records that go with their parent, which people can't edit in the supported tools.
  if (state.doing === "remove" || !state.edits) return;
  const isLookedAt = child === "with its parent" && state.at > 0;
  if (state.child === "ours" && !isLookedAt)
    step("a person edits the child", { ...state, edits: false, child: "edited" });
  if (state.parent && state.persons === "none")
    step("a person puts a record below the parent", { ...state, edits: false, persons: "there" });
};

const work = (
  state: UndoTreeState,
  rules: { guards: UndoTreeGuards; given: UndoTreeCase },
  step: Step<UndoTreeState>,
): void => {
  const visit = order(rules.guards, rules.given)[state.at];
  if (!visit) {
    if (state.doing === "check") step("end", { ...state, doing: "end" });
    return;
  }
  const { name } = visit;
  if (state.doing === "check") check(state, visit, rules, step);
  if (state.doing === "remove") {
    step(`remove the ${name}`, { ...removed(state, name), doing: "record" });
    step(`remove the ${name}, no answer`, { ...removed(state, name), doing: "check" });
    step(`remove the ${name}, no answer, no effect`, { ...state, doing: "check" });
  }
  if (state.doing === "record") step(`${name}: undone`, onward(state, { name, is: "undone" }));
};

const wrongAtEnd = ({ rows, parent, child, author }: UndoTreeState): string | null => {
  if (rows.child === "undone" && child !== "none") return "marked undone, but exists";
  if (rows.parent === "undone" && parent) return "marked undone, but exists";
  if (rows.author === "undone" && author) return "marked undone, but exists";
  if (rows.child === "kept" && child === "none") return "marked kept, but is gone";
  if (Object.values(rows).includes("written")) return "left in the ledger as written";
  return null;
};

/** Undo of a parent, written or matched, of a child below it, and of the person whom the child names. */
export const undoTreeModel = (guards: UndoTreeGuards, given: UndoTreeCase): Model<UndoTreeState> => ({
  start: {
    rows: { parent: given.parent, child: "written", author: "written" },
    parent: true,
    author: true,
    child: "ours",
    persons: "none",
    parentNeeded: false,
    edits: true,
    at: 0,
    doing: "nothing",
    wrong: null,
  },
  next: (state, step) => {
    people(state, given, step);
    if (state.doing === "nothing") step("start", { ...state, at: 0, doing: "check" });
    else if (state.doing !== "end") step("crash", { ...state, doing: "nothing" });
    work(state, { guards, given }, step);
  },
  wrong: (state) => state.wrong ?? (state.doing === "end" ? wrongAtEnd(state) : null),
  goal: ({ doing }) => doing === "end",
});
