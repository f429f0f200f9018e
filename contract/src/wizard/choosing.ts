import type { FoundStream } from "./connecting.ts";
import type { WizardKind } from "./kinds.ts";

/** Limits records by the values of one property; the empty value stands for none. */
export interface SelectionFilter {
  /** `except` also moves records with a value that Portage has not seen yet. */
  readonly mode: "only" | "except";
  readonly values: readonly string[];
}

/** The records to move. Dates are ISO 8601 in UTC. */
export interface WizardSelection {
  /** Null: all streams that can move. */
  readonly streams: readonly string[] | null;
  readonly createdFrom: string | null;
  readonly createdBefore: string | null;
  readonly changedFrom: string | null;
  readonly changedBefore: string | null;
  /** By the old tool's own words. */
  readonly statuses: SelectionFilter | null;
  /** By the old tool's ids of groups, projects or pipelines. */
  readonly groups: SelectionFilter | null;
  readonly tags: SelectionFilter | null;
}

export interface ChoiceStream extends FoundStream {
  /** Why it can't move: the source can't read it, or the destination does not accept it. */
  readonly moves: "yes" | "not_read" | "not_taken";
  /** Which of them the old tool does not hand out, in the words of its connector, in English; null: it hands out all. */
  readonly leavesOut: string | null;
  /** The parent stream, without which these records make no sense. */
  readonly parent: string | null;
  /** One of each list must move with it. */
  readonly requires: readonly (readonly string[])[];
  /** Streams whose records lose their references to these if the customer leaves these out. */
  readonly missedBy: readonly string[];
}

/** GET …/choices. */
export interface WizardChoices {
  /** Send it back with a change, to detect concurrent changes. 0: no decision yet. */
  readonly revision: number;
  readonly selection: WizardSelection;
  readonly counting: boolean;
  readonly trouble: string | null;
  readonly streams: readonly ChoiceStream[];
  /** The guarantees for the copies of the kinds that move. */
  readonly kinds: readonly WizardKind[];
  /** The streams that can be limited to changes since a day; empty: the old tool does not support it. */
  readonly dated: readonly string[];
  /** The streams whose records can be chosen by status, group or tag, or by date if `dated` names them. */
  readonly choosable: readonly string[];
  /** For the current selection; null: unknown. */
  readonly estimate: { readonly records: number | null; readonly durationMs: number | null } | null;
}

/** PUT …/selection. */
export interface SelectionChange {
  readonly based: number;
  readonly selection: WizardSelection;
}

/** A 409 of the same: another session has saved meanwhile. */
export interface SelectionConflict {
  readonly error: { readonly code: "conflict"; readonly message: string };
  readonly current: { readonly revision: number; readonly selection: WizardSelection };
}

/** A value by which records can be chosen. */
export interface ChoiceValue {
  /** "": none. */
  readonly value: string;
  /** Null: the value is its own name, or it is none. */
  readonly label: string | null;
  /** About how many records have it; null: not known. */
  readonly count: number | null;
}

/** GET …/choices/values. Null: records of this kind have no such property. */
export interface WizardChoiceValues {
  /** `reading`: ask again in a moment. `unavailable`: the old tool did not answer. */
  readonly state: "reading" | "read" | "unavailable";
  /** False: the values of some records only, and the counts are estimates. */
  readonly all: boolean;
  readonly statuses: readonly ChoiceValue[] | null;
  readonly groups: readonly ChoiceValue[] | null;
  readonly tags: readonly ChoiceValue[] | null;
}

/** POST …/choices/count, with a selection that need not be saved. */
export interface WizardChosenCounts {
  /** More will be known in a moment. */
  readonly reading: boolean;
  readonly streams: readonly {
    readonly name: string;
    /** All that the old tool has; null: not known. */
    readonly all: number | null;
    /** Null: not known. */
    readonly chosen: number | null;
    /** False: `chosen` is an estimate. */
    readonly exact: boolean;
  }[];
  /** What the customer would pay; null: the customer does not buy, or it is not known. */
  readonly price: { readonly name: string; readonly amount: number; readonly currency: string } | null;
}
