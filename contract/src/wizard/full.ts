/** GET /safeguards: what must not happen, and how it is kept from happening. */
export interface WizardSafeguards {
  /** `held_back`: the new tool's connector keeps every kind of record silent; nobody counts mails. Null: no promise. */
  readonly emails: "held_back" | null;
  /** Copies too many that settling and checking have found. */
  readonly duplicates: number;
}

/** A record that was not simply moved. */
export interface WizardReportRecord {
  readonly stream: string;
  /** In the old tool. */
  readonly id: string;
  readonly address: string | null;
  readonly destinationId: string | null;
  readonly state: "written" | "matched" | "skipped" | "failed" | "kept";
  /** "": none. */
  readonly code: string;
  /** The tool's own words; null: its code says all. */
  readonly detail: string | null;
}

/** GET /report/records?state=…&cursor=…&limit=…: stream by stream, in the order of their ids. */
export interface WizardReportRecords {
  readonly records: readonly WizardReportRecord[];
  /** A page can be short, or empty, while there is a next one: among many that are fine few are found. */
  readonly next: string | null;
}

/** GET /later: what can still be done once the full move is over. */
export interface WizardLater {
  /** Until when later changes and retries are part of the move; null: no full move was done. */
  readonly includedUntil: string | null;
  /** Records that a retry would take up again. */
  readonly retryable: number;
}

/** GET /undo-report: what the last undo took away, and what it left; 404 while there was none. */
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
  /** Why some stayed, worst first. */
  readonly stayed: readonly {
    readonly kind: "failed" | "skipped" | "kept" | "changed" | "checked";
    readonly code: string;
    readonly stream: string;
    readonly label: string;
    readonly count: number;
  }[];
}
