import type { WizardCreatedField } from "./report.ts";

/** GET /safeguards: the safety guarantees of the move. */
export interface WizardSafeguards {
  /** `held_back`: the destination's connector writes every kind of record silently; no mail count. Null: no promise. */
  readonly emails: "held_back" | null;
  /** Duplicates that settling and verification have found. */
  readonly duplicates: number;
}

/** A record with a problem. */
export interface WizardReportRecord {
  readonly stream: string;
  /** In the old tool. */
  readonly id: string;
  readonly address: string | null;
  readonly destinationId: string | null;
  readonly state: "written" | "matched" | "skipped" | "failed" | "kept";
  /** "": none. */
  readonly code: string;
  /** The tool's own message; null: the code says everything. */
  readonly detail: string | null;
}

/** GET /report/records?state=…&cursor=…&limit=…: stream by stream, in the order of their ids. */
export interface WizardReportRecords {
  readonly records: readonly WizardReportRecord[];
  /** A page can be short or empty although there is a next one, since the scan of a page is bounded. */
  readonly next: string | null;
}

/** GET /later: what the customer can still do after the full move. */
export interface WizardLater {
  /** Until when deltas and retries are included in the move; null: no full move yet. */
  readonly includedUntil: string | null;
  /** Records that a retry would process again. */
  readonly retryable: number;
}

/** GET /undo-report: what the last undo removed and what it kept; 404 without an undo. */
export interface WizardUndoReport {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly streams: readonly {
    readonly stream: string;
    readonly label: string;
    readonly removed: number;
    readonly kept: number;
    readonly failed: number;
  }[];
  /** The fields that the move had created, removed or kept. */
  readonly fields: readonly WizardCreatedField[];
  /** Why some records stayed, worst first. */
  readonly stayed: readonly {
    readonly kind: "failed" | "skipped" | "kept" | "changed" | "checked";
    readonly code: string;
    readonly stream: string;
    readonly label: string;
    readonly count: number;
  }[];
}

/** How the old tool's addresses lead to the new records. */
export interface WizardOldLinks {
  /** Null: they lead nowhere, before the full move has ended or after their time. */
  readonly links: {
    /** What an old address is appended to. */
    readonly resolver: string;
    readonly until: string;
    /** Where the old tool is; null: it has no address of its own. */
    readonly oldUrl: string | null;
    /** False: only ids are recognised. */
    readonly readsAddresses: boolean;
  } | null;
}
