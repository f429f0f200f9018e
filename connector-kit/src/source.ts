import type { DateRange } from "./date-range.ts";
import type { CustomField } from "./families/custom-field.ts";
import type { FamilyRecord, FamilyStream } from "./families/stream.ts";
import type { FileBody, Io } from "./io.ts";
import type { At, Cursor, Page, Unreadable } from "./page.ts";

/** A readable stream. The engine runs the loop: each call reads one page and returns. */
export interface SourceStream<T extends FamilyRecord = FamilyRecord, S = unknown> {
  /** The stream of the family: name, schema, relations. */
  readonly stream: FamilyStream<T>;
  /** The engine reads once per record of this stream, with its id as `parentId`; left out: reads all at once. */
  readonly perParent?: string;
  /**
   * With `perParent`: true if every new, changed or deleted record moves its parent's `updatedAt`. A delta then reads only
   * the parents that changed.
   */
  readonly changesWithParent?: true;
  /** True: the stream supports `since`, so a delta is possible. False: a delta reads everything again. */
  readonly delta: boolean;
  readPage(io: Io<S>, at: At): Promise<Page<T>>;
  /**
   * True if reading all records by pages takes fewer calls than reading them by ids, such as comments of which the tool can only
   * list all of a ticket. The final check then reads pages, and asks by ids only for what they did not settle.
   */
  readonly cheaperByPages?: true;
  /** For the sample, for retries of failures and for the final check. Leaves out records that no longer exist, in any order. */
  readByIds(io: Io<S>, ids: readonly string[]): Promise<readonly T[]>;
  /**
   * Of ids that `readByIds` left out, those that the source has something for nevertheless, and why it can't be read. Left out: what
   * `readByIds` leaves out no longer exists.
   */
  unreadableAmong?(io: Io<S>, ids: readonly string[]): Promise<readonly Unreadable[]>;
  /**
   * For the sample: all records that belong to these parents, if the tool supports that query (see `ownersOf`). Without
   * it the engine searches the stream, up to a bound. A stream that is read per parent does not need it.
   */
  readByParents?(
    io: Io<S>,
    parents: readonly { readonly stream: string; readonly id: string }[],
  ): Promise<readonly T[]>;
  /** Ids only, if that is cheaper than whole records: the sweep at the end counts with it. */
  readIds?(io: Io<S>, at: At): Promise<Page<string>>;
  /**
   * True: `readIds` takes and returns the cursors of `readPage`. The engine then reads a page that the tool can't answer with
   * record by record, and sets aside only what can't be read.
   */
  readonly sharedCursors?: boolean;
  /** Start cursors for reading up to `atMost` slices in parallel; each cursor also contains the end of its slice. */
  slices?(io: Io<S>, atMost: number): Promise<readonly Cursor[]>;
  /**
   * `bytes`: for a stream of files, their total size, if known. Null: the tool does not return the number of records;
   * don't invent one, since customers see it.
   */
  count?(
    io: Io<S>,
  ): Promise<{ readonly value: number; readonly exact: boolean; readonly bytes?: number } | null>;
  /**
   * The number of records in a range, exact to the second, if the tool supports that query: the price depends on it.
   * Null: unknown.
   */
  countWithin?(io: Io<S>, range: DateRange): Promise<number | null>;
  /** "Open in the old tool". */
  urlOf?(settings: S, record: T): string;
  customFields?(io: Io<S>): Promise<readonly CustomField[]>;
  /** For streams of files: the bytes of one. */
  openFile?(io: Io<S>, record: T): Promise<FileBody>;
}
