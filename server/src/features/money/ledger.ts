import type { Transaction } from "../../platform/db.ts";
import type { Posting, PostingLine } from "./posting.ts";
import { insertPosting } from "./store.ts";

/** The books can't be written like that: the code that asked for it is wrong. */
export class LedgerError extends Error {
  readonly code = "money_does_not_add_up";
}

const addUp = (lines: readonly PostingLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0);

/** Writes a posting, once; false: it was there already. Lines of nothing are left out. */
export const post = async (tx: Transaction, posting: Posting): Promise<boolean> => {
  const lines = posting.lines.filter(({ amount }) => amount !== 0);
  if (lines.some(({ amount }) => !Number.isSafeInteger(amount)))
    throw new LedgerError(`An amount of ${posting.reference} is no whole number of minor units.`);
  if (addUp(lines) !== 0)
    throw new LedgerError(`The lines of ${posting.reference} do not add up to nothing.`);
  return insertPosting(tx, { ...posting, lines });
};
