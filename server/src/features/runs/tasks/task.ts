import type { Tallies } from "../lease.ts";
import type { NewPartition } from "../plan.ts";
import type { Wanted } from "../run.ts";
import type { TallyBook } from "../tallies.ts";
import type { Workplace } from "../workplace.ts";

/** How a chunk of a task ended. */
export type TaskEnd =
  /** Nothing is left to do in this partition. */
  | { readonly kind: "ended"; readonly plan?: readonly NewPartition[]; readonly tallies?: Tallies }
  /** There is more: the next chunk goes on at once. */
  | { readonly kind: "more" }
  /** Something must be waited for. */
  | { readonly kind: "later"; readonly delayMs: number }
  | { readonly kind: "halted"; readonly wanted: Wanted }
  /** Somebody else has the partition now. */
  | { readonly kind: "fenced" };

/** What one chunk may use up. */
export interface Budget {
  /** Counts a page, and says whether there may be another one. */
  spend(): boolean;
  isSpent(): boolean;
  /** What was done, for whoever watches. */
  readonly done: { read: number; written: number };
}

export type RunTask = (place: Workplace, book: TallyBook, budget: Budget) => Promise<TaskEnd>;

export interface BudgetLimits {
  readonly pages: number;
  readonly ms: number;
}

export const createBudget = ({ pages, ms }: BudgetLimits, signal: AbortSignal): Budget => {
  const endsAt = performance.now() + ms;
  let left = pages;
  const isSpent = () => left <= 0 || performance.now() >= endsAt || signal.aborted;
  return {
    spend: () => {
      left -= 1;
      return !isSpent();
    },
    isSpent,
    done: { read: 0, written: 0 },
  };
};

/** A partition's place: null at the start, `ended` when its last page is settled. */
export type Place = { readonly at: unknown } | { readonly ended: true } | null;

export const placeAfter = (next: unknown): Place => (next === null ? { ended: true } : { at: next });
export const hasEnded = (place: Place): boolean => place !== null && "ended" in place;
export const placeAt = (place: Place): unknown => (place !== null && "at" in place ? place.at : null);
