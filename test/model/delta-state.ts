/** The rules of a delta; each can be disabled. */
export const deltaGuards = {
  /** The delta asks for changes since the start of the previous run, not since its end. */
  sinceStart: true,
  /** A record that equals the ledger's version is dropped, whatever the copy holds. */
  unchangedDropped: true,
  /** A copy is updated only while its fields equal those that the last write returned. */
  hashChecked: true,
  /** The hash in the ledger is of the fields as returned, not as sent: tools trim and convert. */
  hashAsReturned: true,
  /** The batch holds the fields before and after, so that our own write does not count as a person's edit. */
  ownWriteKnown: true,
  /** The batch holds the version that was read: the source may have another when the batch is settled. */
  versionInBatch: true,
  /** An unapplied change marks its row, and the next delta reads it by id: nothing else would list it again. */
  unmadeRemembered: true,
  /** A stopped run does not count: the next one asks for changes since the same moment. */
  stoppedKeepsSince: true,
  /** A copy that has neither the old nor the new fields stays unchanged and is listed. */
  doubtfulListed: true,
  /** A row that was only listed keeps the old version, so that the next delta lists it again. */
  listedKeepsVersion: true,
  /** A timeout means unknown, never written. */
  timeoutIsUnknown: true,
  /** An update in doubt is settled only when its request can't take effect any more. */
  lateWriteAwaited: true,
  /** A rejected update leaves the row `written`: the copy exists. */
  rejectedStaysWritten: true,
  /** Matched records are linked, never changed. */
  matchedLeftAlone: true,
  /** The sweep reads all ids: a list of changes does not include deletions. */
  idsSwept: true,
  /** A record that the sweep did not see is read by its id before it counts as deleted. */
  deletionConfirmed: true,
};
export type DeltaGuards = { readonly [Guard in keyof typeof deltaGuards]: boolean };

export interface DeltaEnvironment {
  readonly begins: "written" | "matched";
  readonly edits: boolean;
  readonly deletes: boolean;
  /** The destination stores something else than it received. */
  readonly converts: boolean;
  readonly rejects: boolean;
  /** The highest version of the source; it starts with 1. */
  readonly versions: number;
  /** A sweep by offset may skip a row that moved. */
  readonly sweepMisses: boolean;
  readonly stops: boolean;
}

/** The fields of the copy: `1`, `2`, … as sent, `1~` as converted, `person's`, or gone. */
export type Fields = string;

export interface Row {
  readonly state: "written" | "matched" | "failed";
  readonly version: number;
  readonly fields: Fields;
  /** The source has a version that was not written: rejected, or a person had edited the copy. */
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
  /** Changed since the previous run began, and since this one did. */
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
  /** What this run reports about the record. */
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
