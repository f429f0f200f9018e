import type { CustomField } from "./families/custom-field.ts";
import type { FamilyRecord, FamilyStream } from "./families/stream.ts";
import type { FileBody, Io } from "./io.ts";

/** What the copy promises; shown to people, and shown to be true by the conformance suite. */
export type Duty = "silent" | "backdates" | "keeps-author";

/** A loss that was chosen, told field by field: it goes into the report. */
export interface FieldChange {
  /** The path in the family's record: `subject`, `author.id`, `customFields.color`. */
  readonly field: string;
  readonly change: "cleared" | "truncated" | "converted";
  /** For people: one sentence. */
  readonly why: string;
}

export interface Write<T> {
  /** The external key: unique per import and record, at most 64 characters of `a-z0-9:_-`. It must be findable later. */
  readonly key: string;
  /** Its references hold this tool's ids already; what could not be resolved is null. */
  readonly record: T;
  /** The id of the copy that is to be changed; null: make one. */
  readonly id: string | null;
  /** Streams of files: the bytes. */
  readonly file?: FileBody;
}

export type Outcome<T = unknown> =
  | {
      readonly kind: "written";
      readonly id: string;
      /** The record as `read` would give it now, where the answer tells; left out, the engine reads it. */
      readonly record?: T;
      readonly changes?: readonly FieldChange[];
    }
  /** It was there already, by our key or by its nature (a user with that address); nothing was changed. */
  | { readonly kind: "matched"; readonly id: string }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string; readonly field?: string }
  /** Nobody can say whether it took effect. A time-out is never `rejected`. */
  | { readonly kind: "unknown"; readonly why: string };

export type Removed =
  /** Also when it was gone already. */
  | { readonly kind: "removed" }
  | { readonly kind: "kept"; readonly code: string; readonly message: string }
  | { readonly kind: "unknown"; readonly why: string };

export interface Asked {
  readonly key: string;
  /** The parent's id in this tool, where the stream has one. */
  readonly parentId?: string;
  /** The key was written at this moment at the earliest. */
  readonly since: Date;
}

/** Somebody whom authors and assignees of the old tool can be matched with. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly active: boolean;
}

/** One of the words that this tool has for a field such as `status`. */
export interface Word {
  /** As a record holds it. */
  readonly value: string;
  readonly label: string;
  /** What it means, in the words of `statusKind` or `priorityKind`; left out: the tool doesn't tell. */
  readonly kind?: string;
}

/** A stream as it is written. All answers are in the order of what was asked. */
export interface DestinationStream<T extends FamilyRecord = FamilyRecord, S = unknown> {
  readonly stream: FamilyStream<T>;
  readonly batchSize: number;
  /** How a write in doubt is settled: sent again (`upsert`, `idempotency-key`), or looked for (`find`). */
  readonly settles: "upsert" | "idempotency-key" | "find";
  readonly duties: readonly Duty[];
  /** Where the parent may be of several streams: those that this tool takes; left out, all of them. */
  readonly parents?: readonly string[];
  /** The family's fields that this tool can't hold at all: cleared without a FieldChange on each record. */
  readonly drops?: readonly FieldChange[];
  /**
   * Fields of a copy that move by themselves when something else is written: a project's members come with the first
   * thing in their name. They are no sign that a person has edited the copy.
   */
  readonly unsteady?: readonly string[];
  /** Every id per key, so that a double shows; the key is compared on each row that the tool returns. */
  find(io: Io<S>, asked: readonly Asked[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * One outcome per record. It throws only what concerns the whole batch (sign-in, quota, tool down); the engine
   * then takes all of it for being in doubt.
   */
  write(io: Io<S>, batch: readonly Write<T>[]): Promise<readonly Outcome<T>[]>;
  /** For verification and for "edited since?"; null where it is gone. */
  read(io: Io<S>, ids: readonly string[]): Promise<readonly (T | null)[]>;
  /**
   * Whether each copy is as a write of ours left it, by a mark that the copy carries itself. Asked where a copy is
   * not what the ledger remembers: after a change whose answer was lost. Left out, such a copy counts as edited.
   */
  isUntouched?(io: Io<S>, ids: readonly string[]): Promise<readonly boolean[]>;
  /** Streams of files: the bytes of a copy, for verification. */
  openFile?(io: Io<S>, id: string): Promise<FileBody>;
  /** Checks the key, since tools reuse ids. */
  remove?(
    io: Io<S>,
    what: readonly { readonly id: string; readonly key: string }[],
  ): Promise<readonly Removed[]>;
  /** On the family's people stream. */
  people?(io: Io<S>): Promise<readonly Person[]>;
  customFields?(io: Io<S>): Promise<readonly CustomField[]>;
  /** By field: all words that this tool knows for `status`, `priority`, `type`. A field left out takes any. */
  words?(io: Io<S>): Promise<Readonly<Record<string, readonly Word[]>>>;
  /** How many more records the plan of this account takes; null: the tool does not tell, or there is no limit. */
  room?(io: Io<S>): Promise<number | null>;
  urlOf?(settings: S, record: { readonly id: string; readonly parentId?: string }): string;
}
