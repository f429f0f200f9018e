import type { WizardSide } from "./import.ts";

/** Something that a person should know before everything is copied. */
export interface WizardPreflightFinding {
  /** Stable. */
  readonly code: string;
  /** `blocks`: the copy would fail. */
  readonly level: "blocks" | "warns";
  readonly side: WizardSide | null;
  readonly stream: string | null;
  /** What the stream is called; null: it is about none. */
  readonly label: string | null;
  readonly count: number;
  /** Which of the things that a code can say; left out: the usual one. */
  readonly variant?: string;
  /** Fields, or parts that were not checked. */
  readonly names?: readonly string[];
  /** For how many more there is room. */
  readonly room?: number;
  /** How the tool's connector puts it, who knows best; in English. */
  readonly toolSays?: string;
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
