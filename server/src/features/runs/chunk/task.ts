import type { Tallies } from "./lease.ts";
import type { NewPartition, Refusals, Wanted } from "../run.ts";
import type { TallyBook } from "./tallies.ts";
import type { ChunkContext } from "./chunk-context.ts";

/** How a chunk of a task ended. */
export type TaskEnd =
  /** Nothing is left to do in this partition. */
  | { readonly kind: "ended"; readonly plan?: readonly NewPartition[]; readonly tallies?: Tallies }
  /** There is more: the next chunk starts at once. */
  | { readonly kind: "more" }
  /** The next chunk must wait. */
  | { readonly kind: "later"; readonly delayMs: number }
  | { readonly kind: "halted"; readonly wanted: Wanted }
  /** The destination refuses one record after another, for the same reason. */
  | { readonly kind: "refused"; readonly refusals: Refusals }
  /** Another attempt has the partition now. */
  | { readonly kind: "fenced" };

/** What one chunk may use up. */
export interface Budget {
  /** Counts a page, and says whether there may be another one. */
  spend(): boolean;
  isSpent(): boolean;
  /** What was done, for monitoring. */
  readonly done: { read: number; written: number };
}

export type RunTask = (ctx: ChunkContext, book: TallyBook, budget: Budget) => Promise<TaskEnd>;

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

/** A partition's position: null at the start, `ended` when its last page is settled. */
export type Position = { readonly at: unknown } | { readonly ended: true } | null;

export const positionAfter = (next: unknown): Position => (next === null ? { ended: true } : { at: next });
export const isAtEnd = (ctx: Position): boolean => ctx !== null && "ended" in ctx;
export const cursorOf = (ctx: Position): unknown => (ctx !== null && "at" in ctx ? ctx.at : null);
