/** What became of a source record. */
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

/** The copy is in the destination, so that others can point to it. */
export const isThere = (state: LedgerState): boolean =>
  state === "written" || state === "matched" || state === "kept";
