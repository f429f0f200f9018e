import type { CustomField, FieldOption } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

export type Paging = "keyset" | "offset" | "page" | "cursor" | "link";

/** Faults, each with its probability per request from 0 to 1. */
export interface Faults {
  /** 500 before any effect. */
  readonly error: number;
  /** The connection is reset before any effect. */
  readonly reset: number;
  /** The same two on reads alone. */
  readonly readError: number;
  readonly readReset: number;
  /** Status 200 with a page in HTML, before any effect. */
  readonly html: number;
  /** The answer's JSON ends in the middle; a write has taken effect. */
  readonly truncated: number;
  /** A write takes effect, and the answer is 500. */
  readonly errorAfterWrite: number;
  /** A write takes effect, and the connection is reset. */
  readonly resetAfterWrite: number;
  /** A write takes effect, and the answer is 200 with a page in HTML. */
  readonly htmlAfterWrite: number;
  /** A write takes effect, and no answer ever comes. */
  readonly silenceAfterWrite: number;
  /** The first half of a batch takes effect, and the connection is reset. */
  readonly partial: number;
  /** A write is answered with 504 at once and takes effect later. */
  readonly lateEffect: number;
  readonly lateEffectMs: number;
  /** Everything works, with this much more latency. */
  readonly slow: number;
  readonly slowMs: number;
}

/** The faults that are probabilities. */
export type FaultKind = Exclude<keyof Faults, "lateEffectMs" | "slowMs">;

export const noFaults: Faults = {
  error: 0,
  reset: 0,
  readError: 0,
  readReset: 0,
  html: 0,
  truncated: 0,
  errorAfterWrite: 0,
  resetAfterWrite: 0,
  htmlAfterWrite: 0,
  silenceAfterWrite: 0,
  partial: 0,
  lateEffect: 0,
  lateEffectMs: 200,
  slow: 0,
  slowMs: 1_000,
};

/** Records of which it takes none, and the error that it answers with. */
export interface Refusal {
  readonly error: string;
  /** A field of the record with this value. */
  readonly field?: string;
  readonly value?: string;
  /** The label of a custom field that must stay empty. */
  readonly label?: string;
}

/** Of one account. */
export interface Quota {
  readonly requests: number;
  readonly perMs: number;
  /** `fixed`: counted anew from each whole `perMs` of the clock. `sliding`: over the last `perMs`; the default. */
  readonly window?: "fixed" | "sliding";
  /** False: no headers show the remaining quota; a refusal still has Retry-After. */
  readonly headers?: boolean;
}

/** What can change while it runs. */
export interface Weather {
  readonly faults: Partial<Faults>;
  readonly quota: Quota | null;
  readonly latencyMs: number;
}

export interface StandInOptions extends Weather {
  readonly seed: string;
  readonly family: Family;
  /** Records per stream; computed records are never stored. */
  readonly counts: Readonly<Record<string, number>>;
  readonly paging: Paging;
  readonly pageSize: number;
  /** Null: the token never expires. */
  readonly tokenLifeMs: number | null;
  /** False: writing an existing key always creates a second record, whatever the caller asks for. */
  readonly upserts: boolean;
  /** How long `find` does not show a write. */
  readonly findLagMs: number;
  /** The maximum delay between a write's arrival and its effect, however busy the machine is; null: unlimited. */
  readonly lateWriteMs: number | null;
  /** The maximum number of records of a stream in the plan; a stream left out has no limit. */
  readonly plan: Readonly<Record<string, number>>;
  /** By stream and id: fields that differ from the computed row. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Other fields than the usual three, of every stream; null: the usual ones. */
  readonly customFields: readonly CustomField[] | null;
  /** `missing`: it takes no record of a stream until the stream has a field for external keys. */
  readonly keyField: "there" | "missing";
  /** It refuses to add fields, although it said that it would. */
  readonly refusesFields: boolean;
  /** By stream: the label of a field without which it refuses records of this type, with this error. */
  readonly requires: Readonly<
    Record<string, readonly { readonly label: string; readonly ofType: string; readonly error: string }[]>
  >;
  /** By stream. */
  readonly refuses: Readonly<Record<string, readonly Refusal[]>>;
  /** The options that it accepts as a destination, by field; a field left out accepts any. */
  readonly words: Readonly<Record<string, readonly FieldOption[]>>;
  readonly fileBytes: number;
  readonly largeText: number;
  readonly hostile: boolean;
  /** Its rows have values in the fields that families got later. */
  readonly fillsAdded: boolean;
  /** Tickets, comments, articles and groups contain their row number in their text; not if rows are lean. */
  readonly signed: boolean;
  /**
   * For large runs: rows repeat a few hundred patterns, so that serving one costs almost nothing, and the tool stores
   * only the difference of each written record to its pattern.
   */
  readonly lean: boolean;
}

export const standInDefaults: StandInOptions = {
  seed: "stand-in",
  family: "helpdesk",
  counts: {},
  paging: "keyset",
  pageSize: 100,
  latencyMs: 0,
  quota: null,
  faults: {},
  tokenLifeMs: null,
  upserts: true,
  findLagMs: 0,
  lateWriteMs: null,
  plan: {},
  rows: {},
  customFields: null,
  keyField: "there",
  refusesFields: false,
  requires: {},
  refuses: {},
  words: {},
  fileBytes: 2_000,
  largeText: 1_000_000,
  hostile: true,
  fillsAdded: false,
  signed: false,
  lean: false,
};
