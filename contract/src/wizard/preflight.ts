import type { WizardSide } from "./import.ts";

/** Something that a person should know before everything is copied. */
export interface WizardPreflightFinding {
  /** Stable. */
  readonly code: string;
  /** `blocks`: the copy would fail. */
  readonly level: "blocks" | "warns";
  readonly message: string;
  /** What to do about it; null: nothing can be done, or need be. */
  readonly fix: string | null;
  readonly side: WizardSide | null;
  readonly stream: string | null;
  readonly count: number;
}

/** GET /preflight */
export interface WizardPreflight {
  readonly findings: readonly WizardPreflightFinding[];
  /** Kinds of records that would be copied and that an undo can't take away; null: this was not looked at. */
  readonly stays: readonly { readonly stream: string; readonly label: string }[] | null;
  /** Null: the tools could not be asked. */
  readonly estimate: {
    /** How many records are copied; null: not all streams tell. */
    readonly records: number | null;
    readonly requests: { readonly source: number; readonly destination: number };
    /** By what the tools allow per minute; null: no limit is known. */
    readonly durationMs: number | null;
  } | null;
}
