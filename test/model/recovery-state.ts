import type { Letters } from "./letters.ts";

/** The rules of going on after PostgreSQL lost commits, by a failover or a restore; each can be disabled. */
export const recoveryGuards = {
  /** A lease's token is never used twice, so that an attempt from before the loss holds nothing after it. */
  freshTokens: true,
  /** Claim and settle are refused while the database is not the one that was last recognized. */
  identityChecked: true,
  /** From then on a record without a ledger row is looked up by its key before it is created. */
  lookedUpFirst: true,
  /** … until the end, not only in the chunk that recognized the change. */
  flagKept: true,
  /** … and only once no request of a lost claim can take effect any more. */
  lostClaimsAwaited: true,
};
export type RecoveryGuards = { readonly [Guard in keyof typeof recoveryGuards]: boolean };

export interface RecoveryEnvironment {
  /** The records of the source, one per page. */
  readonly records: Letters;
  /** How often PostgreSQL may lose commits. */
  readonly losses: number;
  /** Two: an attempt that the engine considers dead continues beside its successor. */
  readonly attempts: 1 | 2;
}

/** What PostgreSQL holds: a loss turns all of it back to an earlier moment. */
export interface Rows {
  readonly page: number;
  readonly done: boolean;
  readonly written: Letters;
  /** The batch in doubt; `held` without records: lost claims may have requests in flight. */
  readonly batch: Letters;
  readonly held: boolean;
  /** Of what is held: in time, past its deadline, past late writes. */
  readonly age: 0 | 1 | 2;
  readonly token: number;
  /** The server that this database was last recognized on. */
  readonly server: number;
  readonly looksFirst: boolean;
}

export interface Attempt {
  readonly doing: "settle" | "claim" | "look" | "write" | "wait" | "record";
  readonly token: number;
  readonly page: number;
  readonly todo: Letters;
  readonly late: boolean;
  readonly ok: Letters;
  readonly unknown: Letters;
}

export type Role = "holder" | "zombie";

export interface Call {
  readonly id: string;
  readonly by: Role | "none";
}

export interface RecoveryState {
  readonly rows: Rows;
  /** As the standby, or a backup, has them. */
  readonly earlier: Rows;
  /** The server that answers now. */
  readonly server: number;
  readonly there: Letters;
  readonly doubled: boolean;
  readonly calls: readonly Call[];
  readonly holder: Attempt | null;
  readonly zombie: Attempt | null;
}

const atFirst: Rows = {
  page: 0,
  done: false,
  written: "",
  batch: "",
  held: false,
  age: 0,
  token: 0,
  server: 0,
  looksFirst: false,
};

export const recoveryStart: RecoveryState = {
  rows: atFirst,
  earlier: atFirst,
  server: 0,
  there: "",
  doubled: false,
  calls: [],
  holder: null,
  zombie: null,
};
