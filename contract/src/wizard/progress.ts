import type { Sponsorship } from "../sponsorship.ts";
import type { StatusCode, StatusText } from "../statuses.ts";
import type { WizardSide } from "./import.ts";

export type WizardRunKind = "sample" | "full" | "delta" | "retry_failed" | "undo";

export interface WizardStatus {
  readonly code: StatusCode;
  readonly text: StatusText;
}

/** The progress of one stream. Done, skipped and failed add up to the total when it has ended. */
export interface WizardStreamProgress {
  readonly stream: string;
  /** For people: "Tickets". */
  readonly label: string;
  readonly state: "waiting" | "running" | "ended";
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  /** If the source does not return the number of records, only those handled so far. */
  readonly total: number;
  readonly corrected: number;
  /** The source did not return the number of records, or the run gave up on some. */
  readonly uncertain: boolean;
}

/** The progress of the current run. */
export interface WizardRunProgress {
  readonly phase: WizardRunKind;
  readonly state: "running" | "paused" | "waiting" | "stopping";
  /** The side on which the customer must sign in again. */
  readonly waitingFor: WizardSide | null;
  /** Why it is paused, if the customer did not pause it: the destination refused so many records in a row. */
  readonly refusals: {
    readonly stream: string;
    readonly label: string;
    readonly code: string;
    readonly count: number;
  } | null;
  readonly step: "prepare" | "choose" | "copy" | "sweep" | "link" | "verify" | "remove";
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of all streams together: meaningful only if each of them is counted. */
  readonly total: number;
  readonly corrected: number;
  /** Records per minute; null: not measured yet, or no progress. */
  readonly perMinute: number | null;
  readonly etaSeconds: number | null;
  /** Null: requested, but not started. */
  readonly startedAt: string | null;
  readonly streams: readonly WizardStreamProgress[];
}

/** GET /progress, and each event `progress` of GET /progress/stream. */
export interface WizardProgress {
  readonly status: WizardStatus;
  readonly sponsorship: Sponsorship;
  readonly paid: boolean;
  /** Records now in the destination because of this import, by stream. */
  readonly items: Readonly<Record<string, number>>;
  readonly people: { readonly source: number; readonly destination: number; readonly matched: number };
  /** Only during a run. */
  readonly progress: WizardRunProgress | null;
}

/** POST /runs. /runs/pause, /resume, /stop, /stop-and-undo, /start-over and /matching-changed have the same answer. */
export interface WizardStartRun {
  readonly kind: WizardRunKind;
}

export interface WizardMoved {
  readonly status: WizardStatus;
}

/** POST /ask-full. */
export interface WizardAskedFull extends WizardMoved {
  readonly payer: "customer" | "partner_decides" | "partner";
  /** The partner's own page for the decision. */
  readonly fullRequestUrl: string | null;
}
