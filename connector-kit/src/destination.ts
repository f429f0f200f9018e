import type { CustomField } from "./families/custom-field.ts";
import type { FamilyRecord, FamilyStream } from "./families/stream.ts";
import type { FieldSetup } from "./field-setup.ts";
import type { FileBody, Io } from "./io.ts";
import type { Removed } from "./removed.ts";

/** A guarantee of the destination: the wizard shows it, and the conformance suite proves it. */
export type Guarantee = "silent" | "backdates" | "keeps-author";

/**
 * An accepted loss of one field, for the report. It is declared from what the tool can hold, or from a refusal of the tool,
 * never by comparing the copy with its record: verification reports every difference that was not declared.
 */
export interface FieldChange {
  /** The path in the family's record: `subject`, `author.id`, `customFields.color`. */
  readonly field: string;
  readonly change: "cleared" | "truncated" | "converted";
  /** For people: one sentence. */
  readonly why: string;
  /** The value that the copy has instead, if it is known: verification then expects exactly this one. */
  readonly becomes?: unknown;
}

export interface Write<T> {
  /** The external key: unique per import and record, at most 64 characters of `a-z0-9:_-`. `find` must find it. */
  readonly key: string;
  /** Its references already hold this tool's ids; unresolved ones are null. */
  readonly record: T;
  /** The id of the copy to change; null: create one. */
  readonly id: string | null;
  /** Streams of files: the bytes. */
  readonly file?: FileBody;
  /**
   * With `takes`, for a new record: its parts by stream, in their order, to be written in the same call. A part's reference to
   * the record, or to another of its parts, holds that one's key, since nothing has an id yet.
   */
  readonly parts?: Readonly<Record<string, readonly Write<FamilyRecord>[]>>;
}

export type Outcome<T = unknown> =
  | {
      readonly kind: "written";
      readonly id: string;
      /** The record as `read` would return it now, if the answer contains it; else the engine reads it. */
      readonly record?: T;
      readonly changes?: readonly FieldChange[];
    }
  /** The record existed already, by our key or by identity (a user with that address), and is unchanged. */
  | { readonly kind: "matched"; readonly id: string }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string; readonly field?: string }
  /** The write may or may not have taken effect. A timeout is never `rejected`. */
  | { readonly kind: "unknown"; readonly why: string };

export interface FindQuery {
  readonly key: string;
  /** The parent's id in this tool, if the stream has a parent. */
  readonly parentId?: string;
  /** The parent's stream: where the parent can be of several, its id alone may be that of several records. */
  readonly parentStream?: string;
  /** No write of the key happened before this moment. */
  readonly since: Date;
}

/** A person with whom the mapping can match authors and assignees of the old tool. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly active: boolean;
}

/** One of this tool's options for a field such as `status`. */
export interface FieldOption {
  /** As a record holds it. */
  readonly value: string;
  readonly label: string;
  /** Its meaning as a `statusKind` or `priorityKind`; left out: unknown. */
  readonly kind?: string;
}

/** A writable stream. All results are in the order of the arguments. */
export interface DestinationStream<T extends FamilyRecord = FamilyRecord, S = unknown> {
  readonly stream: FamilyStream<T>;
  readonly batchSize: number;
  /** How the engine settles an unknown write: it sends it again (`upsert`, `key`) or calls `find` (`lookup`). */
  readonly idempotency: "upsert" | "key" | "lookup";
  readonly guarantees: readonly Guarantee[];
  /**
   * For tools that keep dates and authors of parts only if they come with their record: the streams whose records `write` takes
   * as `parts`, up to `atMost` for each new record. The write answers for the record alone. The engine then looks the parts up
   * in their own streams, by key and before it would write them: so a part that came with its record is never written again,
   * and one that did not come is written by itself.
   */
  readonly takes?: { readonly streams: readonly string[]; readonly atMost: number };
  /** If the parent can be of several streams: those that this tool supports; by default all. */
  readonly parents?: readonly string[];
  /** The family's fields that this tool can't hold at all; records need no FieldChange for them. */
  readonly drops?: readonly FieldChange[];
  /**
   * Of the stream's `addedFields`, those that this tool holds. Records come without the others, and the report lists them as left
   * out: so a destination from before a field was added needs no change.
   */
  readonly addedFields?: readonly string[];
  /**
   * Fields of a copy that change when other records are written: a person becomes a project's member with the first
   * record in their name. Such a change does not mean that a user edited the copy.
   */
  readonly volatileFields?: readonly string[];
  /** Every id per key, so that duplicates show. Compare the key on each row that the tool returns. */
  find(io: Io<S>, asked: readonly FindQuery[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * One outcome per record. It throws only errors that concern the whole batch (sign-in, quota, tool down); the engine
   * then treats every record of the batch as unknown.
   */
  write(io: Io<S>, batch: readonly Write<T>[]): Promise<readonly Outcome<T>[]>;
  /** For verification and for "edited since?"; null for a record that no longer exists. */
  read(io: Io<S>, ids: readonly string[]): Promise<readonly (T | null)[]>;
  /**
   * Whether each copy is unchanged since our last write, by a mark in the copy itself. The engine asks when a copy
   * differs from the ledger, after a change whose answer was lost. Without this, such a copy counts as edited.
   */
  isUntouched?(io: Io<S>, ids: readonly string[]): Promise<readonly boolean[]>;
  /** For streams of files: the bytes of a copy, for verification. */
  openFile?(io: Io<S>, id: string): Promise<FileBody>;
  /**
   * Checks the key, since tools reuse ids; and keeps a record with which something would go that no import wrote, such as a
   * person's reply (`hasOthers`).
   */
  remove?(
    io: Io<S>,
    what: readonly { readonly id: string; readonly key: string }[],
  ): Promise<readonly Removed[]>;
  /** For the tool's page: what else keeps a copy in an undo, and what the tool does not tell. Whole sentences. */
  readonly undoNote?: string;
  /** On the family's people stream. */
  people?(io: Io<S>): Promise<readonly Person[]>;
  customFields?(io: Io<S>): Promise<readonly CustomField[]>;
  /** Creates custom fields that are missing; absent: the customer gets no explanation why it can't. */
  readonly fieldSetup?: FieldSetup<S>;
  /** By field: all options of this tool for `status`, `priority`, `type`. A field left out accepts any value. */
  options?(io: Io<S>): Promise<Readonly<Record<string, readonly FieldOption[]>>>;
  /** How many more records the account's plan allows; null: unknown or unlimited. */
  remainingCapacity?(io: Io<S>): Promise<number | null>;
  urlOf?(settings: S, record: { readonly id: string; readonly parentId?: string }): string;
  /**
   * Only of streams from `offers` whose `urlOf` fills in a text of the instance: that text, with `{id}` for the record's id. Old
   * links are followed without a call of the tool, so the server keeps it.
   */
  readonly urlTemplate?: string;
}
