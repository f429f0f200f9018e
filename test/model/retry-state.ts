import type { Letters } from "./letters.ts";

/** The rules of retrying failures; each can be disabled. */
export const retryGuards = {
  /** Pages continue after the last id: rows leave the set during the walk. */
  keysetPaged: true,
  /** The walk includes children that were skipped because of their parent. */
  childrenIncluded: true,
  /** A child is written only after its parent. */
  parentAwaited: true,
  /** Children whose parent was written after the walk passed them are walked once more. */
  walkedAgain: true,
  /** A record that is gone from the source becomes skipped, and is not retried forever. */
  goneIsSkipped: true,
  /** … but only if the source answered: an error proves nothing. */
  errorIsNotGone: true,
  /** The run settles the doubt of an earlier run before it creates anything. */
  earlierSettled: true,
  /** So it does with the doubt of an earlier attempt. */
  settledFirst: true,
  lateWriteAwaited: true,
  /** A failed row that was ever sent is looked up before it is sent again: its refusal may have been wrong. */
  failedLookedUp: true,
  /** A timeout means unknown, never failed. */
  timeoutIsUnknown: true,
  /** The cursor stays while any record of its page is unknown. */
  unknownHoldsCursor: true,
};
export type RetryGuards = { readonly [Guard in keyof typeof retryGuards]: boolean };

export interface RetryEnvironment {
  /** Rows that failed, and rows that were skipped because their parent failed. */
  readonly failed: Letters;
  readonly skipped: Letters;
  readonly parentOf: Readonly<Record<string, string>>;
  /** Those that the source no longer has. */
  readonly gone: Letters;
  /** One more row may be deleted there at any time. */
  readonly deletes: boolean;
  readonly pageSize: number;
  /** An earlier retry ended with these in doubt; its request may still be on its way. */
  readonly inDoubt: Letters;
  readonly rejects: boolean;
  /** The destination may take a record and refuse it in one answer; these it took before. */
  readonly refusesTaken: boolean;
  readonly taken: Letters;
}

export interface Worker {
  readonly doing: "settle" | "page" | "read" | "claim" | "send" | "wait" | "record";
  readonly page: Letters;
  readonly last: string;
  readonly found: Letters;
  readonly todo: Letters;
  /** Found by its key before anything is sent. */
  readonly already: Letters;
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
  /** Rows that were sent, found in doubt, or found to be gone. */
  readonly tried: Letters;
  readonly walk: 1 | 2;
  readonly cursor: string;
  /** Only without `keysetPaged`. */
  readonly offset: number;
  readonly done: boolean;
  readonly batch: Letters;
  /** The batch belongs to an earlier run, on a separate row. */
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
  already: "",
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
  there: environment.taken,
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
