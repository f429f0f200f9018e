import type { Letters } from "./letters.ts";

/** The rules of retrying failures, each of which can be left out. */
export const retryGuards = {
  /** Pages go on after the last id: rows leave the set while it is walked. */
  keysetPaged: true,
  /** Children that were skipped because of their parent are walked too. */
  childrenIncluded: true,
  /** A child is written only when its parent is. */
  parentAwaited: true,
  /** Children whose parent was written after they were passed are walked once more. */
  walkedAgain: true,
  /** What is gone from the source becomes skipped, and is not tried for ever. */
  goneIsSkipped: true,
  /** … but only when the source answered: an error says nothing. */
  errorIsNotGone: true,
  /** What an earlier run left in doubt is looked for before anything is created. */
  earlierSettled: true,
  /** So is what an attempt of this run left. */
  settledFirst: true,
  lateWriteAwaited: true,
  /** A time-out is unknown, never failed. */
  timeoutIsUnknown: true,
  /** The cursor stays while anything of its page is unknown. */
  unknownHoldsCursor: true,
};
export type RetryGuards = { readonly [Guard in keyof typeof retryGuards]: boolean };

export interface RetryEnvironment {
  /** Rows that failed, and rows that were skipped because their parent failed. */
  readonly failed: Letters;
  readonly skipped: Letters;
  readonly parentOf: Readonly<Record<string, string>>;
  /** Of those, what the source has not any more. */
  readonly gone: Letters;
  /** One more row may be deleted there at any time. */
  readonly deletes: boolean;
  readonly pageSize: number;
  /** An earlier retry ended with these in doubt, its request perhaps still on its way. */
  readonly inDoubt: Letters;
  readonly rejects: boolean;
}

export interface Worker {
  readonly doing: "settle" | "page" | "read" | "claim" | "send" | "wait" | "record";
  readonly page: Letters;
  readonly last: string;
  readonly found: Letters;
  readonly todo: Letters;
  readonly ok: Letters;
  readonly bad: Letters;
  readonly unknown: Letters;
}

export interface RetryState {
  readonly source: Letters;
  readonly failed: Letters;
  readonly skipped: Letters;
  readonly gone: Letters;
  readonly written: Letters;
  readonly there: Letters;
  readonly doubled: boolean;
  /** Rows that were sent, or found in doubt, or found to be gone. */
  readonly tried: Letters;
  readonly walk: 1 | 2;
  readonly cursor: string;
  /** Only without `keysetPaged`. */
  readonly offset: number;
  readonly done: boolean;
  readonly batch: Letters;
  /** The batch is an earlier run's, on a row of its own. */
  readonly earlier: boolean;
  readonly age: 0 | 1 | 2;
  readonly calls: readonly { readonly ids: Letters; readonly answered: boolean }[];
  readonly worker: Worker | null;
}

export const workerAt = (doing: Worker["doing"]): Worker => ({
  doing,
  page: "",
  last: "",
  found: "",
  todo: "",
  ok: "",
  bad: "",
  unknown: "",
});

export const retryStart = (environment: RetryEnvironment, all: Letters): RetryState => ({
  source: [...all].filter((id) => !environment.gone.includes(id)).join(""),
  failed: environment.failed,
  skipped: environment.skipped,
  gone: "",
  written: "",
  there: "",
  doubled: false,
  tried: "",
  walk: 1,
  cursor: "",
  offset: 0,
  done: false,
  batch: environment.inDoubt,
  earlier: environment.inDoubt !== "",
  age: 0,
  calls: environment.inDoubt === "" ? [] : [{ ids: environment.inDoubt, answered: false }],
  worker: null,
});
