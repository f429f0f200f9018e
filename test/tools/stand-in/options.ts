import type { CustomField, Word } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

export type Paging = "keyset" | "offset" | "page" | "cursor" | "link";

/** What goes wrong, each with the probability from 0 to 1 that it does on a request. */
export interface Faults {
  /** 500 before anything happened. */
  readonly error: number;
  /** The connection is reset before anything happened. */
  readonly reset: number;
  /** The same two on reads alone. */
  readonly readError: number;
  readonly readReset: number;
  /** A write takes effect, and the answer is 500. */
  readonly errorAfterWrite: number;
  /** A write takes effect, and the connection is reset. */
  readonly resetAfterWrite: number;
  /** A write takes effect, and there is never an answer. */
  readonly silenceAfterWrite: number;
  /** The first half of a batch takes effect, and the connection is reset. */
  readonly partial: number;
  /** A write is answered with 504 at once and takes effect later. */
  readonly lateEffect: number;
  readonly lateEffectMs: number;
  /** Everything is as it should be, and takes this much longer. */
  readonly slow: number;
  readonly slowMs: number;
}

/** Those that are probabilities. */
export type FaultKind = Exclude<keyof Faults, "lateEffectMs" | "slowMs">;

export const noFaults: Faults = {
  error: 0,
  reset: 0,
  readError: 0,
  readReset: 0,
  errorAfterWrite: 0,
  resetAfterWrite: 0,
  silenceAfterWrite: 0,
  partial: 0,
  lateEffect: 0,
  lateEffectMs: 200,
  slow: 0,
  slowMs: 1_000,
};

/** Of one account. */
export interface Quota {
  readonly requests: number;
  readonly perMs: number;
  /** `fixed`: counted anew from each whole `perMs` of the clock. `sliding`: over the last `perMs`; so unless told. */
  readonly window?: "fixed" | "sliding";
  /** False: nothing tells how much is left; a refusal still says when to come back. */
  readonly headers?: boolean;
}

/** What can be changed while it runs. */
export interface Weather {
  readonly faults: Partial<Faults>;
  readonly quota: Quota | null;
  readonly latencyMs: number;
}

export interface StandInOptions extends Weather {
  readonly seed: string;
  readonly family: Family;
  /** Records per stream; those that are computed are never held. */
  readonly counts: Readonly<Record<string, number>>;
  readonly paging: Paging;
  readonly pageSize: number;
  /** Null: the token never expires. */
  readonly tokenLifeMs: number | null;
  /** False: writing a key that is there always makes a second record, whatever the caller asks for. */
  readonly upserts: boolean;
  /** How long `find` does not show what was written. */
  readonly findLagMs: number;
  /** The latest after its arrival that a write takes effect, however busy the machine is; null: whenever. */
  readonly lateWriteMs: number | null;
  /** The most records of a stream that the plan holds; a stream left out has no limit. */
  readonly plan: Readonly<Record<string, number>>;
  /** By stream and id: what is otherwise in a row than it was computed. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Other fields than the usual three, of every stream; null: the usual ones. */
  readonly customFields: readonly CustomField[] | null;
  /** The words that it knows as a destination, by field; a field left out takes any. */
  readonly words: Readonly<Record<string, readonly Word[]>>;
  readonly fileBytes: number;
  readonly largeText: number;
  readonly hostile: boolean;
  /** Tickets, comments, articles and groups say in their own words which row they are; not where rows are lean. */
  readonly signed: boolean;
  /**
   * For large runs: rows repeat a few hundred patterns, so that serving one costs next to nothing, and of what is
   * written only the difference to its pattern is held.
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
  words: {},
  fileBytes: 2_000,
  largeText: 1_000_000,
  hostile: true,
  signed: false,
  lean: false,
};
