import type { Confidence } from "../encoding.ts";
import type { ColumnChoice } from "../settings.ts";

export interface SuggestedColumn extends ColumnChoice {
  readonly confidence: Confidence;
}

/** A question that only the customer can answer. */
export interface Question {
  readonly code:
    | "date-order"
    | "decimal-mark"
    | "time-unit"
    | "no-key"
    | "key-repeats"
    | "key-empty"
    | "missing-field"
    | "unknown-words"
    | "relation-unmatched";
  readonly column: number | null;
  readonly field: string;
  readonly options: readonly string[];
  /** Of `unknown-words`: the words as they are in the file. */
  readonly words?: readonly string[];
  /** There are more of them than these. */
  readonly more?: true;
  readonly message: string;
}

export interface Suggestion {
  readonly columns: readonly SuggestedColumn[];
  readonly questions: readonly Question[];
}
