import type { WizardRunKind } from "./progress.ts";

export interface WizardExample {
  readonly id: string;
  /** Where it is to be seen in the old tool. */
  readonly address: string | null;
}

export interface WizardCause {
  readonly code: string;
  readonly count: number;
  readonly examples: readonly WizardExample[];
}

/** A field that came out otherwise than it was, for one reason. */
export interface WizardFieldChange {
  readonly field: string;
  /** What people call it. */
  readonly label: string;
  readonly change: "cleared" | "truncated" | "converted";
  readonly why: string;
  /** In how many records. */
  readonly count: number;
  /** One of them; only of a sample it is known. */
  readonly example?: WizardExample;
}

/** What became of the fields of one kind of record. */
export interface WizardStreamChanges {
  readonly stream: string;
  readonly label: string;
  readonly changes: readonly WizardFieldChange[];
}

export interface WizardStreamReport {
  readonly stream: string;
  readonly label: string;
  /** What the source had, by a count of its own. */
  readonly source: number;
  readonly written: number;
  /** Was there already, and is linked. */
  readonly matched: number;
  readonly skipped: readonly WizardCause[];
  readonly failed: readonly WizardCause[];
  /** Written, but not as they are at the source now. */
  readonly behind: readonly WizardCause[];
  readonly deletedAtSource: number;
  readonly verified: {
    /** One of so many copies was read back; 1: all of them. */
    readonly oneOf: number;
    readonly compared: number;
    readonly same: number;
    readonly differs: number;
    readonly gone: number;
    readonly doubled: number;
    readonly examples: {
      readonly differs: readonly WizardExample[];
      readonly gone: readonly WizardExample[];
      readonly doubled: readonly WizardExample[];
    };
  };
  readonly changes: readonly WizardFieldChange[];
  /** source = written + matched + skipped + failed */
  readonly addsUp: boolean;
}

/** A kind of record that was not moved at all. */
export interface WizardLeftBehind {
  readonly stream: string;
  readonly label: string;
  /** `not_supported`: the new tool has no place for them. `not_selected`: somebody left them out. */
  readonly code: "not_supported" | "not_selected";
  /** How many the old tool had when the move began; null: it does not tell. */
  readonly count: number | null;
}

/** GET /report; 404 while nothing was copied to its end. */
export interface WizardReport {
  readonly run: {
    readonly id: string;
    readonly number: number;
    readonly kind: WizardRunKind;
    readonly startedAt: string;
    readonly endedAt: string;
  };
  /** All of it was taken away again since. */
  readonly undone: boolean;
  readonly addsUp: boolean;
  readonly streams: readonly WizardStreamReport[];
  /** In no stream above, and in no sum: kinds of which nothing was moved, and the old tool has some or does not tell. */
  readonly leftBehind: readonly WizardLeftBehind[];
}

/** GET /warnings?cursor=…&limit=…: grouped by cause, worst first. */
export interface WizardWarnings {
  readonly warnings: readonly {
    readonly code: string;
    readonly kind: "failed" | "skipped" | "kept" | "changed" | "checked" | "import";
    readonly stream: string | null;
    /** What the stream is called; null: it is about none. */
    readonly label: string | null;
    readonly count: number;
    /** Of the kind `import`, in English; null: its code says all. */
    readonly message: string | null;
    readonly examples: readonly WizardExample[];
  }[];
  readonly next: string | null;
}

/** GET /undo-preview */
export interface WizardUndoPreview {
  readonly streams: readonly {
    readonly stream: string;
    readonly label: string;
    /** Copies that are there because of this import. */
    readonly copies: number;
    /** Found there and linked: they stay as they are. Null: no copy was checked to its end. */
    readonly matched: number | null;
    /** False: this tool has no way to remove them, so that all stay. */
    readonly removable: boolean;
    /** Null: nobody could look. */
    readonly looked: {
      readonly checked: number;
      readonly edited: number;
      readonly gone: number;
      readonly usedByAnother: number;
    } | null;
    readonly willGo: number;
    readonly willStay: number;
    /** Whether the two were counted, or reckoned from those that were looked at. */
    readonly exact: boolean;
  }[];
  /** False: the destination could not be asked in time; what is edited is then not known. */
  readonly looked: boolean;
}
