import type { WizardComparedField } from "./compared.ts";
import type { WizardStreamChanges } from "./report.ts";

/** One property that a sample should show at least once. */
export interface WizardFacet {
  readonly stream: string;
  /** `field`: a custom field with a value. `extreme`: the oldest, the newest, the longest … */
  readonly about: string;
  readonly value: string;
}

export type WizardSampleLimit =
  | {
      readonly kind: "looked_at" | "peeked_at" | "searched";
      readonly stream: string;
      readonly records: number;
    }
  | {
      readonly kind: "cut";
      readonly of: { readonly stream: string; readonly id: string };
      readonly stream: string;
    }
  | { readonly kind: "full"; readonly left: number };

export type WizardRecordState = "written" | "matched" | "skipped" | "failed" | "undone" | "kept";

/** Why a record is in the sample. */
export type WizardWhy = "chosen" | "added" | "needed";

/** GET /sample */
export interface WizardSample {
  readonly coverage: {
    readonly chosen: readonly {
      readonly stream: string;
      readonly id: string;
      /** Null: it has none, or is gone by now. */
      readonly title: string | null;
      readonly covers: readonly WizardFacet[];
    }[];
    readonly seen: number;
    readonly missed: readonly WizardFacet[];
    readonly limits: readonly WizardSampleLimit[];
  } | null;
  /** How far the choice of the current sample has come; null: none is being chosen. */
  readonly choosing: {
    /** `looking`: through records to choose from. `gathering`: what belongs to the chosen ones. */
    readonly stage: "looking" | "gathering";
    /** How many records were compared, by kind. */
    readonly looked: readonly { readonly stream: string; readonly label: string; readonly records: number }[];
    /** The chosen records; the title is null until it is read, or if there is none. */
    readonly picked: readonly {
      readonly stream: string;
      readonly id: string;
      readonly title: string | null;
    }[];
    /** Records in the sample so far, with all that belongs to them. */
    readonly gathered: number;
  } | null;
  readonly counts: readonly {
    readonly stream: string;
    /** For people: "Tickets". */
    readonly label: string;
    readonly why: WizardWhy;
    /** Null: not copied yet. */
    readonly state: WizardRecordState | null;
    readonly records: number;
    /** How many of those the copy changed. */
    readonly changed: number;
  }[];
}

export interface WizardSampleRecord {
  readonly stream: string;
  readonly id: string;
  readonly why: WizardWhy;
  readonly covers: readonly WizardFacet[];
  /** Null: it has no title, for example a comment. */
  readonly title: string | null;
  /** Its id in the new tool; null: not there. */
  readonly destinationId: string | null;
  readonly state: WizardRecordState;
  readonly reason: string | null;
  /** The tool's own message; null: the reason says everything. */
  readonly detail: string | null;
  readonly fields: readonly WizardComparedField[];
  readonly shortened: readonly string[];
  /** The records that belong to it: its comments, its files and the files of its comments. */
  readonly parts: readonly {
    readonly stream: string;
    readonly label: string;
    readonly records: number;
    /** How many of those are not in the new tool. */
    readonly missing: number;
  }[];
  readonly sourceUrl: string | null;
  readonly destinationUrl: string | null;
}

/** GET /sample/records?stream=…&after=…&limit=… */
export interface WizardSampleRecords {
  readonly records: readonly WizardSampleRecord[];
  readonly next: string | null;
}

/** GET /sample/changes: the changed fields of all its records, with the reasons. */
export interface WizardSampleChanges {
  readonly streams: readonly WizardStreamChanges[];
}

/** POST /sample/records */
export interface WizardAddRecord {
  readonly url: string;
}

export interface WizardAddedRecord {
  readonly stream: string;
  readonly id: string;
}
