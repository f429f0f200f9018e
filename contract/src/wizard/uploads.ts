/** One file of the import; complete once `received` is `size`. */
export interface WizardUpload {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Where an interrupted upload resumes. */
  readonly received: number;
  /** As the browser reported it, in milliseconds: recognizes the same file. */
  readonly modifiedAt: number | null;
}

/** An example file, at …/uploads/examples/:stream. */
export interface WizardExampleFile {
  readonly stream: string;
  readonly name: string;
}

/** GET …/connections/:side/uploads. */
export interface WizardUploads {
  readonly files: readonly WizardUpload[];
  readonly limits: { readonly fileBytes: number; readonly importBytes: number; readonly files: number };
  /** A chunk has at most this many bytes; the server counts it in pieces. */
  readonly chunkBytes: number;
  readonly pieceBytes: number;
  readonly examples: readonly WizardExampleFile[];
}

/** POST …/connections/:side/uploads: begins an upload, and answers with a WizardUpload. */
export interface NewUpload {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt?: number | null;
}

/** How to read a text file; what is left out is detected. */
export interface WizardDialect {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly lineBreak?: string | undefined;
}

/** POST …/connections/:side/uploads/inspect. */
export interface InspectUploads {
  readonly files: readonly {
    readonly file: string;
    /** Left out: suggest one. Null: the file is left out. */
    readonly stream?: string | null | undefined;
    readonly sheet?: string | undefined;
    readonly dialect?: WizardDialect | undefined;
    /** The customer's choices by column: a field, `custom`, or null to leave it out. The rest is suggested. */
    readonly fields?: Readonly<Record<string, string | null>> | undefined;
  }[];
}

export type WizardConfidence = "certain" | "likely" | "unsure";

/** What a column fills; a column can fill several fields. It has further details, which the browser sends back unchanged. */
export interface WizardColumn {
  readonly column: number;
  readonly header: string;
  readonly field: string;
  readonly confidence: WizardConfidence;
  readonly to?: string | undefined;
  readonly date?: string | undefined;
  /** `.` or `,`. */
  readonly decimal?: string | undefined;
  /** Of durations: `hours` or `minutes`. */
  readonly unit?: string | undefined;
  /** Of a field of its own: what its values are kept as. */
  readonly as?: string | undefined;
  readonly words?: Readonly<Record<string, string>> | undefined;
  /** What all other words mean. */
  readonly otherwise?: string | undefined;
}

/** What only the customer knows. */
export interface WizardQuestion {
  readonly code:
    | ("date-order" | "decimal-mark" | "time-unit" | "no-key" | "key-repeats" | "key-empty")
    | ("missing-field" | "unknown-words" | "relation-unmatched");
  readonly column: number | null;
  readonly field: string;
  readonly options: readonly string[];
  readonly words?: readonly string[] | undefined;
  /** There are more of them than these. */
  readonly more?: true | undefined;
  readonly message: string;
}

export interface WizardInspectedFile {
  readonly file: string;
  readonly stream: string | null;
  /** Why the file can't be read, and what to do. */
  readonly problem: string | null;
  readonly sheets: readonly string[];
  /** The one of them that was read. */
  readonly sheet: string | null;
  /** Null for Excel. */
  readonly dialect: WizardDialect | null;
  readonly confidence: WizardConfidence;
  readonly header: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly columns: readonly WizardColumn[];
  readonly questions: readonly WizardQuestion[];
}

export interface WizardTableField {
  readonly path: string;
  readonly label: string;
  readonly kind: string;
  readonly required: boolean;
  readonly options: readonly string[];
  /** The streams that it points to. */
  readonly to: readonly string[];
}

export interface WizardTableStream {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly WizardTableField[];
}

export interface WizardInspectedFiles {
  readonly files: readonly WizardInspectedFile[];
  readonly streams: readonly WizardTableStream[];
}

/** The settings of one file, as PUT …/connections/source takes them by stream. */
export interface WizardFileChoice {
  readonly file: string;
  readonly sheet?: string | undefined;
  readonly dialect?: WizardDialect | undefined;
  readonly columns: readonly Omit<WizardColumn, "confidence">[];
  /** Columns that the customer left out: those with the same names in a later file begin so too. */
  readonly leftOut?: readonly Pick<WizardColumn, "column" | "header">[] | undefined;
  readonly constants?: Readonly<Record<string, string>> | undefined;
}

/** POST …/connections/:side/uploads/check: the settings to connect with. */
export interface CheckUploads {
  readonly settings: {
    readonly files: Readonly<Record<string, WizardFileChoice>>;
    /** Uploads that the customer left out. */
    readonly filesLeftOut?: readonly string[];
    readonly timeZone?: string;
  };
}

export interface WizardCheckedFile {
  readonly stream: string;
  readonly file: string;
  /** Rows that were checked. */
  readonly rows: number;
  /** How many of them can't be used. */
  readonly bad: number;
  /** The first of these; the message says what to do. */
  readonly problems: readonly {
    readonly row: number;
    /** The column's name; null: the whole row. */
    readonly column: string | null;
    readonly message: string;
  }[];
  /** Why the file can't be read at all. */
  readonly problem: string | null;
}

export interface WizardCheckedFiles {
  readonly files: readonly WizardCheckedFile[];
}
