/** The rules of undo, and of starting over after it, each of which can be left out. */
export const undoGuards = {
  /** The run before is ended first: what its attempts still want to record is refused. */
  earlierFenced: true,
  /** What the run before left in doubt is settled before anything is removed. */
  earlierSettled: true,
  /** What is found in doubt counts as edited unless it is what was sent: nobody has looked at it since. */
  editInDoubtSeen: true,
  /** Whether a copy is there is asked by its key, never by its id. */
  foundByKey: true,
  /** `remove` compares the key, since tools reuse ids. */
  removeChecksKey: true,
  /** A copy whose fields differ from those that the last write returned is kept. */
  editedKept: true,
  /** Our own later writes, as of links, bring the hash in the ledger along. */
  hashFollowsOwnWrites: true,
  /** The claim of a removal and a match by another import exclude each other. */
  matchExcluded: true,
  /** A time-out of `remove` is unknown, never removed. */
  timeoutIsUnknown: true,
  /** After one, the copy is looked at again only when the request can't take effect any more. */
  lateRemoveAwaited: true,
  /** A cancelled undo settles what is in doubt before it ends. */
  settledBeforeClosed: true,
  /** Starting over gives new keys, so that what lies in the bin settles nothing. */
  keyGeneration: true,
  /** The next copy takes undone rows for not copied. */
  undoneIsCopied: true,
  /** … and links to what was kept, if it is still there. */
  keptIsMatched: true,
};
export type UndoGuards = { readonly [Guard in keyof typeof undoGuards]: boolean };

export interface UndoEnvironment {
  /** What the run before left: a copy, or a batch in doubt with an attempt that is about to send it. */
  readonly begins: "written" | "doubt";
  readonly edits: boolean;
  readonly deletes: boolean;
  readonly reusesIds: boolean;
  readonly matches: boolean;
  /** What is removed goes to a bin, in which `find` still sees it. */
  readonly bins: boolean;
  readonly cancels: boolean;
  readonly startsOver: boolean;
}

/** What the fields say: as we wrote them, with our link in them, or as a person changed them. */
export type Fields = "ours" | "linked" | "person's";

export interface Copied {
  readonly id: number;
  /** The generation in its key; 0: no key, a person's own. */
  readonly key: number;
  readonly fields: Fields;
  readonly bin: boolean;
}

export interface Row {
  readonly state: "none" | "written" | "undone" | "kept" | "matched";
  readonly id: number;
  readonly key: number;
  readonly fields: Fields;
}

export interface Call {
  readonly kind: "create" | "remove";
  readonly id: number;
  readonly key: number;
  /** What the fields were when they were checked. */
  readonly seen: Fields;
  readonly by: "worker" | "earlier" | "nobody";
}

export interface Worker {
  readonly doing: "settle" | "check" | "claim" | "send" | "wait" | "record";
  readonly seen: Fields;
  readonly answer: "none" | "done" | "unknown";
  readonly id: number;
}

export interface UndoState {
  readonly phase: "undo" | "again" | "end" | "closed";
  readonly closing: boolean;
  readonly row: Row;
  /** The batch in doubt: the run before's, then the undo's, then the next copy's. */
  readonly doubt: "none" | "create" | "remove";
  readonly age: 0 | 1 | 2;
  /** Of the copy, in the table that all imports of the account share. */
  readonly mark: "none" | "matched" | "removing";
  readonly copies: readonly Copied[];
  readonly calls: readonly Call[];
  /** An attempt of the run before that goes on, and whether its epoch is still the row's. */
  readonly earlier: "off" | "send" | "wait" | "record";
  readonly earlierHolds: boolean;
  readonly worker: Worker | null;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly reused: boolean;
  readonly wrong: string | null;
}

export const undoStart = (guards: UndoGuards, { begins }: UndoEnvironment): UndoState => ({
  phase: "undo",
  closing: false,
  row:
    begins === "written"
      ? { state: "written", id: 1, key: 1, fields: guards.hashFollowsOwnWrites ? "linked" : "ours" }
      : { state: "none", id: 0, key: 0, fields: "ours" },
  doubt: begins === "doubt" ? "create" : "none",
  age: 0,
  mark: "none",
  copies: begins === "written" ? [{ id: 1, key: 1, fields: "linked", bin: false }] : [],
  calls: [],
  earlier: begins === "doubt" ? "send" : "off",
  earlierHolds: begins === "doubt",
  worker: null,
  edited: false,
  deleted: false,
  reused: false,
  wrong: null,
});
