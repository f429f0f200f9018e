/** The rules of linking records that reference each other; each can be disabled. */
export const linkingGuards = {
  /** The statement that settles the record also notes its unresolved references. */
  notedWithSettle: true,
  /** The batch on the row holds the unresolved references: a record found in doubt gets its notes from there. */
  linksInBatch: true,
  /** A record is linked only while its fields equal those that the last write returned. */
  hashChecked: true,
  /** The batch holds the fields after the link, so that our own link does not count as a person's edit. */
  ownWriteKnown: true,
  /** The settle of a link updates the hash in the ledger. */
  hashWithLink: true,
  /** A timeout means unknown, never linked. */
  timeoutIsUnknown: true,
  /** A link in doubt is settled only when its request can't take effect any more. */
  lateWriteAwaited: true,
  /** The pass runs again after a retry of failures, and after a delta. */
  linkedAgain: true,
  /** The settle of a record replaces its notes: the source may have dropped the reference. */
  notesReplaced: true,
};
export type LinkingGuards = { readonly [Guard in keyof typeof linkingGuards]: boolean };

export interface LinkingEnvironment {
  /** Records that the destination may reject at first. */
  readonly rejects: boolean;
  readonly edits: boolean;
  /** People remove references at the source. */
  readonly unlinks: boolean;
}

/** Two records that reference each other: A is copied first, so its link is a forward reference. */
export type Name = "A" | "B";
export type Pair<T> = { readonly [Which in Name]: T };

export type Copy = "none" | "bare" | "linked" | "person's";
/** A note: this record needs a link. `edited`: not linked, since a person had changed it. */
export type Note = "none" | "pending" | "linked" | "edited";

export interface Row {
  readonly state: "none" | "written" | "failed";
  /** The fields as the last write returned them. */
  readonly fields: "bare" | "linked";
  /** Whether the source referenced the other record when it was read. */
  readonly points: boolean;
}

export interface Batch {
  readonly kind: "create" | "update" | "link";
  readonly name: Name;
  readonly before: Copy;
  readonly after: "bare" | "linked";
  readonly points: boolean;
  readonly late: 0 | 1 | 2;
}

export interface Call {
  readonly name: Name;
  readonly create: boolean;
  readonly becomes: "bare" | "linked";
  readonly answered: boolean;
}

export const phases = ["copy", "link", "delta", "link again", "retry", "link once more", "end"] as const;

export interface Worker {
  readonly doing: "settle" | "look" | "send" | "wait" | "record" | "note";
  readonly answer: "none" | "done" | "rejected" | "unknown";
}

export interface LinkingState {
  readonly points: Pair<boolean>;
  readonly copies: Pair<Copy>;
  readonly rows: Pair<Row>;
  readonly notes: Pair<Note>;
  readonly phase: (typeof phases)[number];
  readonly at: Name;
  readonly batch: Batch | null;
  readonly worker: Worker | null;
  readonly calls: readonly Call[];
  readonly edits: boolean;
  readonly unlinks: boolean;
  readonly wrong: string | null;
}

const nothing: Row = { state: "none", fields: "bare", points: false };

export const linkingStart = ({ edits, unlinks }: LinkingEnvironment): LinkingState => ({
  points: { A: true, B: true },
  copies: { A: "none", B: "none" },
  rows: { A: nothing, B: nothing },
  notes: { A: "none", B: "none" },
  phase: "copy",
  at: "A",
  batch: null,
  worker: null,
  calls: [],
  edits,
  unlinks,
  wrong: null,
});
