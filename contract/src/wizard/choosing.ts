import type { FoundStream } from "./connecting.ts";
import type { WizardKind } from "./kinds.ts";

/** Which records are moved. Dates are ISO 8601 in UTC. */
export interface WizardSelection {
  /** Null: all that can move. */
  readonly streams: readonly string[] | null;
  readonly createdFrom: string | null;
  readonly createdBefore: string | null;
  readonly changedFrom: string | null;
}

export interface ChoiceStream extends FoundStream {
  /** Why it can't be moved: the old tool's side can't read it, or the new one does not take it. */
  readonly moves: "yes" | "not_read" | "not_taken";
  /** The stream whose records these belong to, and without which they make no sense. */
  readonly parent: string | null;
  /** One of each list must move with it. */
  readonly requires: readonly (readonly string[])[];
  /** Streams whose records arrive without these, when these are left out. */
  readonly missedBy: readonly string[];
}

/** GET …/choices. */
export interface WizardChoices {
  /** To be sent back with a change: of two who change at a time, the second is told. 0: nothing was decided yet. */
  readonly revision: number;
  readonly selection: WizardSelection;
  readonly counting: boolean;
  readonly trouble: string | null;
  readonly streams: readonly ChoiceStream[];
  /** What holds for the copies of those that move. */
  readonly kinds: readonly WizardKind[];
  /** The streams that can be limited to what changed since a day; empty: the old tool can't tell what changed. */
  readonly dated: readonly string[];
  /** Of all that is selected now; null: not known. */
  readonly estimate: { readonly records: number | null; readonly durationMs: number | null } | null;
}

/** PUT …/selection. */
export interface SelectionChange {
  readonly based: number;
  readonly selection: WizardSelection;
}

/** A 409 of the same: somebody else has saved meanwhile. */
export interface SelectionConflict {
  readonly error: { readonly code: "conflict"; readonly message: string };
  readonly current: { readonly revision: number; readonly selection: WizardSelection };
}
