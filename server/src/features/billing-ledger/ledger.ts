import type { Transaction } from "../../platform/db.ts";
import type { Posting, PostingLine } from "./posting.ts";
import { insertPosting } from "./store.ts";

/** An invalid posting: a bug in the calling code. */
export class LedgerError extends Error {
  readonly code = "money_does_not_add_up";
}

const addUp = (lines: readonly PostingLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0);

/** Writes a posting once, without its zero lines; false: the posting exists already. */
export const post = async (tx: Transaction, posting: Posting): Promise<boolean> => {
  const lines = posting.lines.filter(({ amount }) => amount !== 0);
  if (lines.some(({ amount }) => !Number.isSafeInteger(amount)))
    throw new LedgerError(`An amount of ${posting.reference} is not a whole number of minor units.`);
  if (addUp(lines) !== 0)
    throw new LedgerError(`The lines of posting ${posting.reference} do not add up to zero.`);
  return insertPosting(tx, { ...posting, lines });
};
