import type { DateRange } from "./date-range.ts";
import type { CustomField } from "./families/custom-field.ts";
import type { FamilyRecord, FamilyStream } from "./families/stream.ts";
import type { FileBody, Io } from "./io.ts";
import type { At, Cursor, Page } from "./page.ts";

/** A stream as it is read. The loop is the engine's: each call reads one page and returns. */
export interface SourceStream<T extends FamilyRecord = FamilyRecord, S = unknown> {
  /** Which stream of which family: name, schema, relations. */
  readonly stream: FamilyStream<T>;
  /** Read once per record of this stream, with its id as `parentId`; left out: read as a whole. */
  readonly perParent?: string;
  /** True: `since` is honoured, so that a delta is possible. False: a delta reads everything again. */
  readonly delta: boolean;
  readPage(io: Io<S>, at: At): Promise<Page<T>>;
  /** For the sample and for retries of failures. What is gone is left out; order does not matter. */
  readByIds(io: Io<S>, ids: readonly string[]): Promise<readonly T[]>;
  /**
   * For the sample: all that belongs to these records, where the tool can be asked for that (see `ownersOf`). Left out,
   * the stream is searched for it, up to a bound. A stream that is read per parent needs none.
   */
  readByParents?(
    io: Io<S>,
    parents: readonly { readonly stream: string; readonly id: string }[],
  ): Promise<readonly T[]>;
  /** Ids only, where that is cheaper than whole records: the sweep at the end counts by it. */
  readIds?(io: Io<S>, at: At): Promise<Page<string>>;
  /** Where to begin in order to read in up to `atMost` parts at once; each cursor also knows where its part ends. */
  slices?(io: Io<S>, atMost: number): Promise<readonly Cursor[]>;
  /**
   * `bytes`: of a stream of files, how large they are together, where the tool tells. Null: it does not tell how many there
   * are; a made-up number would be shown to people.
   */
  count?(
    io: Io<S>,
  ): Promise<{ readonly value: number; readonly exact: boolean; readonly bytes?: number } | null>;
  /**
   * As many as fall into a range, to the second, where the tool can be asked for that: what is paid for depends on it.
   * Null: it does not tell.
   */
  countWithin?(io: Io<S>, range: DateRange): Promise<number | null>;
  /** "Open in the old tool". */
  urlOf?(settings: S, record: T): string;
  customFields?(io: Io<S>): Promise<readonly CustomField[]>;
  /** Streams of files: the bytes of one. */
  openFile?(io: Io<S>, record: T): Promise<FileBody>;
}
