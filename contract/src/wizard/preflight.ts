import type { WizardSide } from "./import.ts";

/** A finding that the customer should know before the full copy. */
export interface WizardPreflightFinding {
  /** Stable. */
  readonly code: string;
  /** `blocks`: the copy would fail. */
  readonly level: "blocks" | "warns";
  readonly side: WizardSide | null;
  readonly stream: string | null;
  /** The stream's label; null: the finding concerns no stream. */
  readonly label: string | null;
  readonly count: number;
  /** The variant of the code's message; left out: the default one. */
  readonly variant?: string;
  /** Fields, or unchecked parts. */
  readonly names?: readonly string[];
  /** How many more records fit. */
  readonly room?: number;
  /** The message of the tool's connector, which is the most specific; in English. */
  readonly toolSays?: string;
}

/** GET /preflight */
export interface WizardPreflight {
  readonly findings: readonly WizardPreflightFinding[];
  /** Kinds of records that the move copies but an undo can't remove; null: not checked. */
  readonly stays: readonly { readonly stream: string; readonly label: string }[] | null;
  /** Null: the tools did not answer. */
  readonly estimate: {
    /** The number of records to copy; null: not known for all streams. */
    readonly records: number | null;
    readonly requests: { readonly source: number; readonly destination: number };
    /** From the tools' rate limits; null: no limit is known. */
    readonly durationMs: number | null;
  } | null;
}
