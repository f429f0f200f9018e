/** The outcome of a source record. */
export type LedgerState = "written" | "matched" | "skipped" | "failed" | "undone" | "kept";

const numbers: Readonly<Record<LedgerState, number>> = {
  written: 1,
  matched: 2,
  skipped: 3,
  failed: 4,
  undone: 5,
  kept: 6,
};

const names = new Map(Object.entries(numbers).map(([name, number]) => [number, name as LedgerState]));

export const stateNumber = (state: LedgerState): number => numbers[state];

export const stateName = (number: number): LedgerState => {
  const name = names.get(number);
  if (!name) throw new Error(`No ledger state has the number ${number}.`);
  return name;
};

/** The copy is in the destination, so that other records can point to it. */
export const isThere = (state: LedgerState): boolean =>
  state === "written" || state === "matched" || state === "kept";

/** The reason of a row whose copy stayed after an undo and is linked again since: still ours, but never changed any more. */
export const keptFromBefore = "kept_from_before";

/** Whether the record in the destination that the row stands for is a copy that this import made. */
export const isOwnCopy = ({
  state,
  reason,
}: {
  readonly state: LedgerState;
  readonly reason: string | null;
}): boolean => state === "written" || state === "kept" || (state === "matched" && reason === keptFromBefore);

/** The reason of a row whose write was given up without an answer: it may be in the destination nevertheless. */
export const inDoubt = "in_doubt";

/** The reason of a row whose write never got an answer: it was found by its key, and is written once more. */
export const foundAgain = "found_again";

/**
 * Whether a copy with an unknown id may exist: a key was sent for it, and it was not undone since. A destination that
 * refused the record may have taken it all the same, so nothing is created under another key before a look-up.
 */
export const mayExist = ({
  state,
  destId,
  keyGeneration,
}: {
  readonly state: LedgerState;
  readonly destId: string | null;
  readonly keyGeneration: number | null;
}): boolean => destId === null && keyGeneration !== null && state !== "undone";

/** Where to look for a copy: the parent in the source, as `stream/id`. Earlier releases kept it as the detail. */
export const parentOf = ({
  parent,
  reason,
  detail,
}: {
  readonly parent: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}): string | null => parent ?? (reason === inDoubt ? detail : null);

/**
 * The reason of a row whose copy was made before another person was chosen instead: the detail names that person, if
 * any. The copy goes at the end of a run, when nothing points to it any more, or with an undo.
 */
export const replaced = "replaced";

interface Standing {
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** The record in the destination that others point to. */
export const standsAt = ({ destId, reason, detail }: Standing): string | null =>
  reason === replaced ? detail : destId;
