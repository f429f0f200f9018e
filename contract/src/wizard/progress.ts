import type { Sponsorship } from "../sponsorship.ts";
import type { StatusCode, StatusText } from "../statuses.ts";
import type { WizardSide } from "./import.ts";

export type WizardRunKind = "sample" | "full" | "delta" | "retry_failed" | "undo";

export interface WizardStatus {
  readonly code: StatusCode;
  readonly text: StatusText;
}

/** How far one stream has come. Done, skipped and failed add up to the total when it has ended. */
export interface WizardStreamProgress {
  readonly stream: string;
  /** For people: "Tickets". */
  readonly label: string;
  readonly state: "waiting" | "running" | "ended";
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  /** Where the source did not say how many there are, no more than what was handled so far. */
  readonly total: number;
  readonly corrected: number;
  /** The source did not say how many there are, or something was given up on the way. */
  readonly uncertain: boolean;
}

/** How far the run under way has come. */
export interface WizardRunProgress {
  readonly phase: WizardRunKind;
  readonly state: "running" | "paused" | "waiting" | "stopping";
  /** The side on which a person must sign in again. */
  readonly waitingFor: WizardSide | null;
  readonly step: "prepare" | "choose" | "copy" | "sweep" | "link" | "verify" | "remove";
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of all streams together: a measure only where each of them is counted. */
  readonly total: number;
  readonly corrected: number;
  /** Records a minute; null: nothing was measured yet, or nothing moves. */
  readonly perMinute: number | null;
  readonly etaSeconds: number | null;
  /** Null: it was asked for, and has not begun. */
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
  /** Only while a run is under way. */
  readonly progress: WizardRunProgress | null;
}

/** POST /runs. What is answered by it and by /runs/pause, /resume, /stop, /stop-and-undo, /start-over, /matching-changed. */
export interface WizardStartRun {
  readonly kind: WizardRunKind;
}

export interface WizardMoved {
  readonly status: WizardStatus;
}

/** POST /ask-full. */
export interface WizardAskedFull extends WizardMoved {
  readonly payer: "customer" | "partner_decides" | "partner";
  /** Where the partner decides on a page of its own. */
  readonly fullRequestUrl: string | null;
}
