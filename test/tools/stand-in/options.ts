import type { Family } from "@portage/contract";

export type Paging = "keyset" | "offset" | "page" | "cursor" | "link";

/** What goes wrong, each with the probability from 0 to 1 that it does on a request. */
export interface Faults {
  /** 500 before anything happened. */
  readonly error: number;
  /** The connection is reset before anything happened. */
  readonly reset: number;
  /** A write takes effect, and the answer is 500. */
  readonly errorAfterWrite: number;
  /** A write takes effect, and the connection is reset. */
  readonly resetAfterWrite: number;
  /** A write takes effect, and there is never an answer. */
  readonly silenceAfterWrite: number;
  /** A write is answered with 504 at once and takes effect later. */
  readonly lateEffect: number;
  readonly lateEffectMs: number;
}

export const noFaults: Faults = {
  error: 0,
  reset: 0,
  errorAfterWrite: 0,
  resetAfterWrite: 0,
  silenceAfterWrite: 0,
  lateEffect: 0,
  lateEffectMs: 200,
};

export interface StandInOptions {
  readonly seed: string;
  readonly family: Family;
  /** Records per stream; those that are computed are never held. */
  readonly counts: Readonly<Record<string, number>>;
  readonly paging: Paging;
  readonly pageSize: number;
  readonly latencyMs: number;
  /** Per token. */
  readonly quota: { readonly requests: number; readonly perMs: number } | null;
  readonly faults: Partial<Faults>;
  /** Null: the token never expires. */
  readonly tokenLifeMs: number | null;
  /** True: writing a key that is there changes that record. False: it makes a second one. */
  readonly upserts: boolean;
  readonly fileBytes: number;
  readonly largeText: number;
  readonly hostile: boolean;
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
  fileBytes: 2_000,
  largeText: 1_000_000,
  hostile: true,
};
