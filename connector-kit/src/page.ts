/** A place in a stream. Flat, so that it survives JSON and an upgrade; it never holds a secret. */
export type Cursor = Readonly<Record<string, string | number | boolean>>;

/** A record that the tool has but that could not be read; it is reported, and the run goes on. */
export interface Unreadable {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

export interface Page<T> {
  readonly records: readonly T[];
  /** Where the next call goes on; null at the end. It may lead back: records that come twice are recognised. */
  readonly next: Cursor | null;
  readonly unreadable?: readonly Unreadable[];
}

/** Which page is asked for. */
export interface At {
  /** Null: from the start. */
  readonly cursor: Cursor | null;
  /** Only what changed at or after this moment; null: everything. Stays the same over all pages of a pass. */
  readonly since: Date | null;
  /** The parent's id in this tool, for a stream that is read per parent; else null. */
  readonly parentId: string | null;
}
