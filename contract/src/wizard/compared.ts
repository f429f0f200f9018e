export type WizardShown = string | number | boolean | null | readonly string[];

/** One field of a record, before and after. */
export interface WizardComparedField {
  /** The path in the record before: `status`, `customFields.cf_5`. */
  readonly field: string;
  readonly label: string;
  readonly before: WizardShown;
  readonly after: WizardShown;
  /** Left out: unchanged. `matched`: changed as the matching says, without a loss. */
  readonly change?: "cleared" | "truncated" | "converted" | "matched";
  /** For people: one sentence. */
  readonly why?: string;
  /** The id in the old tool of the one person in this field, if people are matched. */
  readonly person?: string;
}

/** POST /mapping/preview: with the saved mapping, or with an unsaved one. */
export interface WizardPreviewQuestion {
  /** Needed unless `url` is given. */
  readonly stream?: string;
  readonly id?: string;
  /** The record that the old tool shows at this address. */
  readonly url?: string;
  /** The index among the first few, from 0, without an id or an address. */
  readonly at?: number;
  readonly mapping?: unknown;
}

export interface WizardPreview {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly WizardComparedField[];
  /** The fields whose texts are shortened. */
  readonly shortened: readonly string[];
  readonly sourceUrl: string | null;
  /** The number of records that `at` can select; null for a request by id or address. */
  readonly of: number | null;
}
