/** A position in a stream. Flat, so that it survives JSON and an upgrade; it never contains a secret. */
export type Cursor = Readonly<Record<string, string | number | boolean>>;

/** A record that the tool has but the connector could not read; the run reports it and continues. */
export interface Unreadable {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  /**
   * Only when it was asked for by its id: the source has the record under another id by now, so it is none of the source's, and a
   * run that reads all records copies it.
   */
  readonly elsewhere?: true;
}

export interface Page<T> {
  readonly records: readonly T[];
  /** The cursor of the next call; null at the end. It may go back: the engine recognises repeated records. */
  readonly next: Cursor | null;
  readonly unreadable?: readonly Unreadable[];
  /**
   * The next page is not ready yet: the engine asks for it after this time, with nothing held meanwhile. For exports that the
   * tool prepares: start the job, keep its id in the cursor, and give up on it yourself, with an error, after a fair time.
   */
  readonly waitMs?: number;
}

/** Selects a page. */
export interface At {
  /** Null: from the start. */
  readonly cursor: Cursor | null;
  /** Only records changed at or after this moment; null: all. Constant over all pages of a pass. */
  readonly since: Date | null;
  /** The parent's id in this tool, for a stream that is read per parent; else null. */
  readonly parentId: string | null;
  /**
   * At most this many records: the engine sets it after the tool could not answer with a whole page, such as one that is too
   * large. The pagers follow it; a connector that can't choose the size ignores it.
   */
  readonly size?: number;
  /**
   * True: the engine looks only at records that it has copied, and that the source still had a while ago. A connector need not make
   * calls to leave out what has been deleted since.
   */
  readonly copiedOnly?: true;
  /**
   * The engine's pass over the source. Within it, rows that came with the answer to another stream replace a call (`shareAnswer`). The
   * passes share nothing, so that the sweep is independent of the copy. Left out: ask.
   */
  readonly pass?: "copy" | "sweep";
}
