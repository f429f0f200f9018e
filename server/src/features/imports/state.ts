import type { Role as Side } from "@portage/connector-kit";
import type { Payer, Sponsorship, StatusCode } from "@portage/contract";

export type RunKind = "sample" | "full" | "delta" | "retry_failed" | "undo";

/** Records of a stream that one cause kept from being copied. */
export interface RunCause {
  readonly stream: string;
  readonly code: string;
}
export type { Side };

/** How much of a copy is in the destination. */
export type CopyExtent = "none" | "part" | "all";

/** All that the transition table looks at. */
export interface ImportState {
  readonly status: StatusCode;
  readonly sponsorship: Sponsorship;
  /** Paid by the customer and not refunded: the sum of the money rows. */
  readonly bought: boolean;
  /** The customer asked for the full migration. */
  readonly asked: boolean;
  readonly startFull: boolean;
  /** Ever, even if undone since. */
  readonly sponsoredFullStarted: boolean;
  readonly sourceConnected: boolean;
  readonly destinationConnected: boolean;
  readonly sampleCopy: CopyExtent;
  readonly fullCopy: CopyExtent;
  readonly liveRun: RunKind | null;
  /** The live run must end: for good, or to be undone. */
  readonly stopping: "stop" | "undo" | null;
  readonly closed: "cancelled" | "archived" | null;
}

/** What can happen to an import. `wrote`: whether the run left anything in the destination. */
export type ImportEvent =
  | { readonly type: "connected" | "disconnected"; readonly side: Side }
  | {
      readonly type: "sample_started" | "full_started" | "undo_started" | "started_over" | "matching_changed";
    }
  /** The time has come at which the customer wanted the full migration to start. */
  | { readonly type: "start_due" }
  | { readonly type: "delta_started"; readonly withinWindow: boolean }
  /** `causes`: retries only what they kept out, with what belongs to it; left out: everything. */
  | {
      readonly type: "retry_started";
      readonly withinWindow: boolean;
      readonly causes?: readonly RunCause[];
    }
  | { readonly type: "stop_requested" | "stop_and_undo_requested" }
  | { readonly type: "pause_requested" | "resume_requested" }
  | { readonly type: "run_done" }
  /** `cause`: why it could not continue, in a sentence for people, if known. */
  | {
      readonly type: "run_failed" | "run_stopped";
      readonly wrote: boolean;
      readonly cause?: string | null;
    }
  /** `message`: the warning's text, if it says more than that a person is needed. */
  | { readonly type: "attention_required"; readonly reason: string; readonly message?: string }
  | { readonly type: "full_asked"; readonly payer: Payer }
  | { readonly type: "sponsorship_accepted" | "sponsorship_rejected" }
  | { readonly type: "bought" | "refunded" }
  | { readonly type: "cancelled" | "archived" };

/** All ends that a run can have. */
export type RunEnd = Extract<ImportEvent, { readonly type: "run_done" | "run_failed" | "run_stopped" }>;

export type ImportEventType = ImportEvent["type"];

/** What must follow a change, as data: written to the outbox in the same transaction. */
export type Effect =
  | {
      readonly kind: "notify";
      readonly type: "import.status_changed";
      readonly from: StatusCode;
      readonly to: StatusCode;
    }
  | {
      readonly kind: "notify";
      readonly type: "import.full_requested" | "import.attention_required" | "import.closed";
    }
  | { readonly kind: "start_run"; readonly run: RunKind; readonly causes?: readonly RunCause[] }
  /** `planned`: the customer chose the time, and can still take it back. */
  | { readonly kind: "start_after_preflight"; readonly planned?: true }
  | { readonly kind: "stop_run" }
  /** After a new sign-in on this side. */
  | { readonly kind: "resume_run"; readonly side: Side }
  /** A person wants the run to rest where it is, and to continue from there. */
  | { readonly kind: "pause_run" | "unpause_run" }
  | {
      readonly kind: "warn";
      readonly code: "run_failed" | "run_stopped" | "action_required";
      readonly about: string;
      readonly message?: string;
    }
  /** A payment may have to be refunded: the books decide, in the same transaction. */
  | { readonly kind: "refund"; readonly because: "closed" | "undone" }
  | { readonly kind: "purge_credentials" };

export const isPaid = (state: Pick<ImportState, "sponsorship" | "bought">): boolean =>
  state.sponsorship === "accepted" || state.bought;

export const bothConnected = (state: ImportState): boolean =>
  state.sourceConnected && state.destinationConnected;

export const somethingWritten = (state: ImportState): boolean =>
  state.sampleCopy !== "none" || state.fullCopy !== "none";

export const newImportState = (startFull: boolean, payer: Payer): ImportState => ({
  status: "collecting_credentials",
  sponsorship: startFull || payer === "partner" ? "accepted" : "undecided",
  bought: false,
  asked: false,
  startFull,
  sponsoredFullStarted: false,
  sourceConnected: false,
  destinationConnected: false,
  sampleCopy: "none",
  fullCopy: "none",
  liveRun: null,
  stopping: null,
  closed: null,
});
