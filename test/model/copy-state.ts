import type { Letters } from "./letters.ts";

/** The rules of the page algorithm; each can be disabled. */
export const copyGuards = {
  /** A claim by any but the newest attempt is refused. */
  fencedClaim: true,
  /** So is a settle by such an attempt. */
  fencedSettle: true,
  /** The attempt checks the deadline right before it sends. */
  deadlineChecked: true,
  /** The attempt starts its clock before it sends the claim, so that its deadline is never after the row's. */
  countedFromBeforeClaim: true,
  /** A batch in doubt is settled only when no request of it can take effect any more. */
  lateWriteAwaited: true,
  /** … and when `find` shows what did. */
  findLagAwaited: true,
  /** A batch in doubt is settled by asking the destination, even if a resend would be harmless. */
  settledByFind: true,
  /** A look-up that the destination refuses proves nothing: the doubt stays, and the look-up is repeated. */
  refusedFindProvesNothing: true,
  /** A timeout means unknown, never failed. */
  timeoutIsUnknown: true,
  /** So does a refusal after an earlier request of the same write took effect. */
  lateRefusalIsUnknown: true,
  /** Ledger rows, cursor, counters and batch change in one statement. */
  oneStatement: true,
  /** The batch in doubt is settled before the next page is read. */
  settledFirst: true,
  /** The claim drops what the ledger has already. */
  knownDropped: true,
  /** The cursor stays while any record of its page is unknown. */
  unknownHoldsCursor: true,
  /** A page by offset reads the row before it again, and starts over if that row has moved. */
  anchored: true,
  /** The sweep reads all ids of the source at the end and copies those without a ledger row. */
  swept: true,
  /** The sweep counts a row once, by a mark on its ledger row. */
  countedOnce: true,
};
export type CopyGuards = { readonly [Guard in keyof typeof copyGuards]: boolean };

export interface CopyEnvironment {
  /** The rows of the source at the start, in its listing order. */
  readonly rows: string;
  readonly pageSize: number;
  readonly paging: "keyset" | "offset";
  readonly settles: "lookup" | "upsert" | "key";
  /** Two: the engine starts another attempt while one that it considers dead continues. */
  readonly attempts: 1 | 2;
  readonly rejects: boolean;
  /** A record takes several requests: the first creates it, and a later one may be refused. */
  readonly refusesLate: boolean;
  /** Whether `find` may be refused, as by a right that the account lost. */
  readonly findRefused: boolean;
  /** Whether `find` may lag behind. */
  readonly findLags: boolean;
  /** Changes at the source, and how many in total. Crashes and timeouts are unlimited. */
  readonly changes: number;
  readonly deletes: boolean;
  readonly moves: boolean;
  /** Rows that may appear, at the front. */
  readonly adds: string;
}

export interface Position {
  readonly offset: number;
  /** The last row before it. Keyset paging uses only this. */
  readonly anchor: string;
}

export type Task = "copy" | "sweep" | "done";

/** One execution of a chunk, with its view of the row from when it started. */
export interface Attempt {
  readonly doing: "settle" | "read" | "claim" | "write" | "wait" | "record" | "insert";
  readonly task: Task;
  readonly place: Position;
  readonly doubt: Letters;
  readonly page: Letters;
  readonly next: Position | null;
  readonly todo: Letters;
  readonly late: boolean;
  readonly ok: Letters;
  readonly bad: Letters;
  readonly unknown: Letters;
}

/** A request on its way to the destination. */
export interface Call {
  readonly ids: Letters;
  readonly by: "holder" | "zombie" | "none";
  /** Sent after the deadline on the row: there is no bound on how late it takes effect. */
  readonly late: boolean;
}

/** The age of the batch on the row: in time, past its deadline, past late writes, past the lag of `find`. */
export type Age = 0 | 1 | 2 | 3;

export interface CopyState {
  readonly source: string;
  readonly changes: number;
  readonly added: Letters;
  // the partition row
  readonly task: Task;
  readonly place: Position;
  readonly batch: Letters;
  readonly age: Age;
  readonly created: number;
  readonly counted: number;
  // the ledger
  readonly written: Letters;
  readonly failed: Letters;
  readonly swept: Letters;
  // the destination
  readonly there: Letters;
  readonly hidden: Letters;
  readonly remembered: Letters;
  readonly doubled: boolean;
  readonly calls: readonly Call[];
  /** The newest attempt: its epoch is the row's. */
  readonly holder: Attempt | null;
  /** An older one that continues. */
  readonly zombie: Attempt | null;
}

export const beginning: Position = { offset: 0, anchor: "" };

export const attemptAt = (
  doing: Attempt["doing"],
  of: Pick<Attempt, "task" | "place" | "doubt">,
): Attempt => ({
  doing,
  task: of.task,
  place: of.place,
  doubt: of.doubt,
  page: "",
  next: null,
  todo: "",
  late: false,
  ok: "",
  bad: "",
  unknown: "",
});

export const copyStart = (environment: CopyEnvironment): CopyState => ({
  source: environment.rows,
  changes: environment.changes,
  added: "",
  task: "copy",
  place: beginning,
  batch: "",
  age: 0,
  created: 0,
  counted: 0,
  written: "",
  failed: "",
  swept: "",
  there: "",
  hidden: "",
  remembered: "",
  doubled: false,
  calls: [],
  holder: null,
  zombie: null,
});
