import type { WizardShown } from "./compared.ts";
import type { WizardFieldType, WizardMapping } from "./mapping.ts";
import type { WizardRunKind } from "./progress.ts";

export interface WizardExample {
  readonly id: string;
  /** Its URL in the old tool. */
  readonly address: string | null;
}

export interface WizardCause {
  readonly code: string;
  readonly count: number;
  readonly examples: readonly WizardExample[];
}

/** A field that the copy changed, for one reason. */
export interface WizardFieldChange {
  readonly field: string;
  /** The display name. */
  readonly label: string;
  readonly change: "cleared" | "truncated" | "converted";
  readonly why: string;
  /** The number of records. */
  readonly count: number;
  /** One of them; known only for a sample. */
  readonly example?: WizardExample;
}

/** A field in which copies differ from the old tool; `file`: the bytes of a file. */
export interface WizardDifferingField {
  readonly field: string;
  /** The display name. */
  readonly label: string;
  readonly count: number;
  readonly examples: readonly WizardExample[];
}

/** The field changes of one kind of record. */
export interface WizardStreamChanges {
  readonly stream: string;
  readonly label: string;
  readonly changes: readonly WizardFieldChange[];
}

export interface WizardStreamReport {
  readonly stream: string;
  readonly label: string;
  /** The source's records, counted separately. */
  readonly source: number;
  readonly written: number;
  /** Existed already and is linked. */
  readonly matched: number;
  readonly skipped: readonly WizardCause[];
  readonly failed: readonly WizardCause[];
  /** Written, but older than the source's current version. */
  readonly behind: readonly WizardCause[];
  readonly deletedAtSource: number;
  /** What a second reading of both tools showed. */
  readonly verified: {
    /** The verification compared one of this many copies; 1: all of them. */
    readonly oneOf: number;
    /** Copies that were compared with the old tool: `same`, `differs` and `gone`. */
    readonly compared: number;
    readonly same: number;
    readonly differs: number;
    readonly gone: number;
    readonly doubled: number;
    /** Not compared: the old tool has another version by now. */
    readonly changedAtSource: number;
    /** Not compared: one of the tools did not show it. */
    readonly refused: number;
    readonly fields: readonly WizardDifferingField[];
    /** Files whose bytes were compared, by length and SHA-256; null: not a kind of files. */
    readonly files: { readonly compared: number; readonly same: number; readonly unread: number } | null;
    readonly examples: {
      readonly differs: readonly WizardExample[];
      readonly gone: readonly WizardExample[];
      readonly doubled: readonly WizardExample[];
      readonly changedAtSource: readonly WizardExample[];
      readonly refused: readonly WizardExample[];
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
  /**
   * `not_supported`: the new tool can't hold them. `not_selected`: the customer left them out. `not_allowed`: the old tool
   * does not show them to this account.
   */
  readonly code: "not_supported" | "not_selected" | "not_allowed";
  /** How many the old tool had when the move began; null: unknown. */
  readonly count: number | null;
}

/** A field that the move created in the new tool. */
export interface WizardCreatedField {
  readonly stream: string;
  readonly label: string;
  /** The name of the field. */
  readonly name: string;
  readonly type: WizardFieldType;
  /** It holds the ids by which we recognise copies: the customer did not choose it. */
  readonly isForKeys: boolean;
  /** `removed`, `kept`: by an undo since. */
  readonly state: "created" | "removed" | "kept";
  /** Why it was kept. */
  readonly why: string | null;
  readonly since: string | null;
}

/** GET /report; 404 until a copy has completed. */
export interface WizardReport {
  readonly run: {
    readonly id: string;
    readonly number: number;
    readonly kind: WizardRunKind;
    readonly startedAt: string;
    readonly endedAt: string;
  };
  /** An undo has removed all copies since. */
  readonly undone: boolean;
  readonly addsUp: boolean;
  readonly streams: readonly WizardStreamReport[];
  /** Kinds that did not move although the old tool has, or may have, some; in no stream and no sum above. */
  readonly leftBehind: readonly WizardLeftBehind[];
  readonly createdFields: readonly WizardCreatedField[];
  /** How many messages our own records caused, which were written and removed before the copy; null: not measured. */
  readonly silence: { readonly records: number; readonly messages: number; readonly at: string } | null;
}

/** POST /report/fix-preview: what a changed matching would make of records that one cause kept out. Writes nothing. */
export interface WizardFixQuestion {
  readonly stream: string;
  readonly code: string;
  /** The mapping with the fix, unsaved. */
  readonly mapping: WizardMapping;
}

/** A few of them, with the fields that the fix changes. */
export interface WizardFixPreview {
  readonly records: readonly {
    readonly id: string;
    readonly title: string | null;
    /** Its URL in the old tool. */
    readonly address: string | null;
    /** The new tool's own words about it; null: none. */
    readonly detail: string | null;
    /** `left_out`: what it belongs to has no copy, so a retry would leave it out again. */
    readonly outcome: "written" | "left_out";
    /** As they were sent before, and as they would be sent now; empty: the fix changes nothing on this record. */
    readonly fields: readonly {
      readonly field: string;
      readonly label: string;
      readonly before: WizardShown;
      readonly after: WizardShown;
    }[];
  }[];
}

/** GET /warnings?cursor=…&limit=…: grouped by cause, worst first. */
export interface WizardWarnings {
  readonly warnings: readonly {
    readonly code: string;
    readonly kind: "failed" | "skipped" | "kept" | "changed" | "checked" | "import";
    readonly stream: string | null;
    /** The stream's label; null: the warning concerns no stream. */
    readonly label: string | null;
    readonly count: number;
    /** For the kind `import`, in English; null: the code says everything. */
    readonly message: string | null;
    readonly examples: readonly WizardExample[];
  }[];
  readonly next: string | null;
}

/** GET /undo-preview */
export interface WizardUndoPreview {
  /** The names of fields that the move created: they go too, unless something else uses them. */
  readonly fields: readonly string[];
  readonly streams: readonly {
    readonly stream: string;
    readonly label: string;
    /** Copies in the destination because of this import. */
    readonly copies: number;
    /** Existing records that the import linked: they stay unchanged. Null: no verification has completed. */
    readonly matched: number | null;
    /** False: this tool can't remove them, so all stay. */
    readonly removable: boolean;
    /** Null: the copies could not be checked. */
    readonly looked: {
      readonly checked: number;
      readonly edited: number;
      readonly gone: number;
      readonly usedByAnother: number;
    } | null;
    readonly willGo: number;
    readonly willStay: number;
    /** Whether the two are counts, or estimates from the checked copies. */
    readonly exact: boolean;
  }[];
  /** False: the destination did not answer in time, so the edited copies are unknown. */
  readonly looked: boolean;
}
