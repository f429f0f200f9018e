export type WizardShown = string | number | boolean | null | readonly string[];

/** One field of a record, before and after. */
export interface WizardComparedField {
  /** The path in the record before: `status`, `customFields.cf_5`. */
  readonly field: string;
  readonly label: string;
  readonly before: WizardShown;
  readonly after: WizardShown;
  /** Left out: it is the same. `matched`: as the matching has it, and nothing is lost. */
  readonly change?: "cleared" | "truncated" | "converted" | "matched";
  /** For people: one sentence. */
  readonly why?: string;
  /** The id in the old tool of the one person whom it names, where people are matched. */
  readonly person?: string;
}

/** POST /mapping/preview: by what is decided, or by a mapping that is not saved yet. */
export interface WizardPreviewQuestion {
  /** Needed unless `url` is given. */
  readonly stream?: string;
  readonly id?: string;
  /** The record that the old tool shows at this address. */
  readonly url?: string;
  /** Which of the first few, from 0, where neither id nor address is given. */
  readonly at?: number;
  readonly mapping?: unknown;
}

export interface WizardPreview {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly WizardComparedField[];
  /** The fields whose texts are longer than what is shown. */
  readonly shortened: readonly string[];
  readonly sourceUrl: string | null;
  /** How many there are to go through by `at`; null where a record was asked for by its id or address. */
  readonly of: number | null;
}
