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

/** How it is known that copies send no messages to people. */
export type WizardSilence =
  /** The destination's connector promises it; it can't be measured. */
  | { readonly kind: "promised" }
  /** The full copy measures it first. `last`: what the last measurement has shown; null: there was none. */
  | {
      readonly kind: "measured";
      readonly last: {
        /** Records of ours that were written and removed again. */
        readonly records: number;
        readonly at: string;
        /** Null: no message was sent. */
        readonly caught: {
          /** The label of what was written; null: unknown. */
          readonly label: string | null;
          readonly subject: string;
          /** How to stop such messages; in English. */
          readonly mend: string;
        } | null;
      } | null;
    };

/** GET /preflight */
export interface WizardPreflight {
  /** Null: not checked. */
  readonly silence: WizardSilence | null;
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
