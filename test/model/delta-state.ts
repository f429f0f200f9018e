/** The rules of a delta, each of which can be left out. */
export const deltaGuards = {
  /** What changed is asked for since the run before began, not since it ended. */
  sinceStart: true,
  /** What reads as the ledger has it is dropped, whatever the copy looks like. */
  unchangedDropped: true,
  /** A copy is changed only while its fields are those that the last write returned. */
  hashChecked: true,
  /** The hash in the ledger is of the fields as returned, not as sent: tools trim and convert. */
  hashAsReturned: true,
  /** The batch holds what the fields were and become, so that our own write is not taken for a person's edit. */
  ownWriteKnown: true,
  /** The batch holds the version that was read: the source may have another by the time it is settled. */
  versionInBatch: true,
  /** A change that was not made marks its row, and the next delta reads it by id: nothing else would list it again. */
  unmadeRemembered: true,
  /** A run that was stopped does not count: the next asks since the same moment. */
  stoppedKeepsSince: true,
  /** What is neither as it was nor as it was to become is left alone and listed. */
  doubtfulListed: true,
  /** A row that was only listed keeps the old version, so that the next delta lists it again. */
  listedKeepsVersion: true,
  /** A time-out is unknown, never written. */
  timeoutIsUnknown: true,
  /** An update in doubt is settled only when its request can't take effect any more. */
  lateWriteAwaited: true,
  /** A rejected update leaves the row `written`: the copy is there. */
  rejectedStaysWritten: true,
  /** Matched records are linked, never changed. */
  matchedLeftAlone: true,
  /** All ids are swept: a listing of changes does not tell of deletions. */
  idsSwept: true,
  /** What the sweep did not meet is asked for by its id before it is called deleted. */
  deletionConfirmed: true,
};
export type DeltaGuards = { readonly [Guard in keyof typeof deltaGuards]: boolean };

export interface DeltaEnvironment {
  readonly begins: "written" | "matched";
  readonly edits: boolean;
  readonly deletes: boolean;
  /** The destination keeps something else than it was sent. */
  readonly converts: boolean;
  readonly rejects: boolean;
  /** The highest version that the source comes to; it begins with 1. */
  readonly versions: number;
  /** A sweep by offset may pass over a row that moved. */
  readonly sweepMisses: boolean;
  readonly stops: boolean;
}

/** The fields of the copy: `1`, `2`, … as sent, `1~` as converted, `person's`, or gone. */
export type Fields = string;

export interface Row {
  readonly state: "written" | "matched" | "failed";
  readonly version: number;
  readonly fields: Fields;
  /** The source has another version that was not written here: rejected, or a person had edited the copy. */
  readonly behind: boolean;
}

export interface Batch {
  readonly version: number;
  readonly before: Fields;
  readonly age: 0 | 1 | 2;
}

export interface Worker {
  readonly doing: "settle" | "read" | "look" | "send" | "wait" | "record" | "sweep" | "confirm";
  /** The version that it read; 0: not listed, or gone. */
  readonly version: number;
  readonly answer: "none" | "done" | "rejected" | "unknown";
}

export interface DeltaState {
  /** The version at the source; 0: deleted. */
  readonly source: number;
  /** Changed since the run before began, and since this one did. */
  readonly due: boolean;
  readonly fresh: boolean;
  readonly copy: Fields;
  readonly row: Row;
  /** 0: the full migration, which has ended. */
  readonly run: 0 | 1 | 2;
  readonly task: "copy" | "sweep" | "ended";
  readonly batch: Batch | null;
  readonly worker: Worker | null;
  readonly calls: readonly { readonly version: number; readonly answered: boolean }[];
  /** What this run reports of the record. */
  readonly report: "nothing" | "edited" | "rejected" | "deleted";
  readonly edited: boolean;
  /** The run was stopped before its end. */
  readonly stopped: boolean;
  /** An update was in doubt once. */
  readonly doubted: boolean;
  readonly wrong: string | null;
}

export const deltaStart = ({ begins, converts }: DeltaEnvironment): DeltaState => {
  const fields = begins === "matched" ? "person's" : converts ? "1~" : "1";
  return {
    source: 1,
    due: false,
    fresh: false,
    copy: fields,
    row: { state: begins, version: 1, fields, behind: false },
    run: 0,
    task: "ended",
    batch: null,
    worker: null,
    calls: [],
    report: "nothing",
    edited: false,
    stopped: false,
    doubted: false,
    wrong: null,
  };
};
