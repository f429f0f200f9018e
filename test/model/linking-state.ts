/** The rules of linking what points to each other, each of which can be left out. */
export const linkingGuards = {
  /** What could not be resolved is noted in the statement that settles the record. */
  notedWithSettle: true,
  /** The batch on the row holds what could not be resolved: a record found in doubt gets its notes from there. */
  linksInBatch: true,
  /** A record is linked only while its fields are those that the last write returned. */
  hashChecked: true,
  /** The batch holds what the fields become, so that our own link is not taken for a person's edit. */
  ownWriteKnown: true,
  /** The settle of a link brings the hash in the ledger along. */
  hashWithLink: true,
  /** A time-out is unknown, never linked. */
  timeoutIsUnknown: true,
  /** A link in doubt is settled only when its request can't take effect any more. */
  lateWriteAwaited: true,
  /** The pass is run again after failures were retried, and after a delta. */
  linkedAgain: true,
  /** The settle of a record replaces its notes: the source may not point there any more. */
  notesReplaced: true,
};
export type LinkingGuards = { readonly [Guard in keyof typeof linkingGuards]: boolean };

export interface LinkingEnvironment {
  /** Records that the destination may reject at first. */
  readonly rejects: boolean;
  readonly edits: boolean;
  /** People take links away at the source. */
  readonly unlinks: boolean;
}

/** Two records that point to each other: A is copied first, so its link points forward. */
export type Name = "A" | "B";
export type Pair<T> = { readonly [Which in Name]: T };

export type Copy = "none" | "bare" | "linked" | "person's";
/** A note: this record is to be linked. `edited`: it was not, since a person had changed it. */
export type Note = "none" | "pending" | "linked" | "edited";

export interface Row {
  readonly state: "none" | "written" | "failed";
  /** The fields as the last write returned them. */
  readonly fields: "bare" | "linked";
  /** Whether the source pointed to the other one when it was read. */
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
