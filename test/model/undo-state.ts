/** The rules of undo, and of starting over after it; each can be disabled. */
export const undoGuards = {
  /** The previous run ends first: its attempts can no longer record anything. */
  earlierFenced: true,
  /** The undo settles the previous run's batch in doubt before it removes anything. */
  earlierSettled: true,
  /** A failed row that was ever sent is looked up by its key: the destination may have refused what it took. */
  failedLookedUp: true,
  /** A copy found in doubt counts as edited unless it equals what was sent: no run has checked it since. */
  editInDoubtSeen: true,
  /** The undo looks a copy up by its key, never by its id. */
  foundByKey: true,
  /** `remove` compares the key, since tools reuse ids. */
  removeChecksKey: true,
  /** A copy whose fields differ from those that the last write returned is kept. */
  editedKept: true,
  /** Our own later writes, such as links, update the hash in the ledger. */
  hashFollowsOwnWrites: true,
  /** The claim of a removal and a match by another import exclude each other. */
  matchExcluded: true,
  /** After it has registered a match, the other import reads the record: the removal may have ended before. */
  matchReadAgain: true,
  /** A timeout of `remove` means unknown, never removed. */
  timeoutIsUnknown: true,
  /** After a timeout, the undo checks the copy only when the request can't take effect any more. */
  lateRemoveAwaited: true,
  /** A cancelled undo settles its batch in doubt before it ends. */
  settledBeforeClosed: true,
  /** Starting over uses new keys, so that copies in the bin settle nothing. */
  keyGeneration: true,
  /** The next copy treats undone rows as not copied. */
  undoneIsCopied: true,
  /** … and links to kept copies, if they still exist. */
  keptIsMatched: true,
  /** A kept copy is known by its id, however it was found: what belongs to it is linked by that. */
  keptIsKnown: true,
  /** A match with a kept copy stays a match: no later copy makes another. */
  matchStays: true,
  /** The next undo treats a match with a kept copy as ours. */
  matchIsOurs: true,
};
export type UndoGuards = { readonly [Guard in keyof typeof undoGuards]: boolean };

export interface UndoEnvironment {
  /**
   * The state after the previous run: a copy, a batch in doubt with an attempt that is about to send it, or a record
   * that the destination took and refused in one answer.
   */
  readonly begins: "written" | "doubt" | "failed";
  readonly edits: boolean;
  readonly deletes: boolean;
  readonly reusesIds: boolean;
  readonly matches: boolean;
  /** Removed copies go to a bin, in which `find` still finds them. */
  readonly bins: boolean;
  readonly cancels: boolean;
  readonly startsOver: boolean;
  /** What was copied anew is undone and copied once more. */
  readonly undoneAgain: boolean;
}

/** The fields: as the import wrote them, with its link, or as a person changed them. */
export type Fields = "ours" | "linked" | "person's";

export interface Copied {
  readonly id: number;
  /** The generation in its key; 0: no key, a person's own record. */
  readonly key: number;
  readonly fields: Fields;
  readonly bin: boolean;
}

export interface Row {
  readonly state: "none" | "written" | "failed" | "undone" | "kept" | "matched";
  readonly id: number;
  readonly key: number;
  readonly fields: Fields;
}

export interface Call {
  readonly kind: "create" | "remove";
  readonly id: number;
  readonly key: number;
  /** The fields at the time of the check. */
  readonly seen: Fields;
  readonly by: "worker" | "earlier" | "none";
}

export interface Worker {
  readonly doing: "settle" | "check" | "claim" | "send" | "wait" | "record";
  readonly seen: Fields;
  readonly answer: "none" | "done" | "unknown";
  readonly id: number;
}

export interface UndoState {
  readonly phase: "undo" | "again" | "end" | "closed";
  /** How often it was copied and undone. */
  readonly round: 1 | 2;
  readonly closing: boolean;
  readonly row: Row;
  /** The batch in doubt: the previous run's, then the undo's, then the next copy's. */
  readonly doubt: "none" | "create" | "remove";
  readonly age: 0 | 1 | 2;
  /** The mark of the copy, in the table that all imports of the account share. */
  readonly mark: "none" | "matched" | "removing";
  /** Another import: the tool answers its write with the copy, and it registers the match later. */
  readonly other: "none" | "answered" | "registered" | "matched" | "refused";
  readonly copies: readonly Copied[];
  readonly calls: readonly Call[];
  /** An attempt of the previous run that continues, and whether its epoch is still the row's. */
  readonly earlier: "off" | "send" | "wait" | "record";
  readonly earlierHolds: boolean;
  readonly worker: Worker | null;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly reused: boolean;
  readonly wrong: string | null;
}

const beginning = (
  guards: UndoGuards,
  begins: UndoEnvironment["begins"],
): Pick<UndoState, "row" | "copies"> => {
  if (begins === "doubt") return { row: { state: "none", id: 0, key: 0, fields: "ours" }, copies: [] };
  if (begins === "failed")
    return {
      row: { state: "failed", id: 0, key: 1, fields: "ours" },
      copies: [{ id: 1, key: 1, fields: "ours", bin: false }],
    };
  return {
    row: { state: "written", id: 1, key: 1, fields: guards.hashFollowsOwnWrites ? "linked" : "ours" },
    copies: [{ id: 1, key: 1, fields: "linked", bin: false }],
  };
};

export const undoStart = (guards: UndoGuards, { begins }: UndoEnvironment): UndoState => ({
  phase: "undo",
  round: 1,
  closing: false,
  ...beginning(guards, begins),
  doubt: begins === "doubt" ? "create" : "none",
  age: 0,
  mark: "none",
  other: "none",
  calls: [],
  earlier: begins === "doubt" ? "send" : "off",
  earlierHolds: begins === "doubt",
  worker: null,
  edited: false,
  deleted: false,
  reused: false,
  wrong: null,
});
