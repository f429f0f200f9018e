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
  /** A copy that already is as the update would make it, in the tool's own form, has our write and no person's edit. */
  ownWriteKnown: true,
  /** An update in doubt marks its row: if the copy is no longer as the row says, nobody knows who changed it. */
  doubtMarked: true,
  /** An unapplied change leaves its row behind, and the next delta reads it by id: nothing else would list it again. */
  unmadeRemembered: true,
  /** A stopped run does not count: the next one asks for changes since the same moment. */
  stoppedKeepsSince: true,
  /** A copy that may have a person's edit stays unchanged and is listed. */
  doubtfulListed: true,
  /** Such a row, or a marked one, is written or listed again, even if the source has gone back to its version. */
  behindLookedAt: true,
  /** A timeout means unknown, never written. */
  timeoutIsUnknown: true,
  /** An update in doubt is settled only when its request can't take effect any more. */
  lateWriteAwaited: true,
  /** A rejected update leaves the row `written`: the copy exists. */
  rejectedStaysWritten: true,
  /** A rejected update marks its row, too: a part of it may have taken effect. */
  rejectedMarked: true,
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
  /** A person may take back all changes at the source. */
  readonly reverts: boolean;
  /** A sweep by offset may skip a row that moved. */
  readonly sweepMisses: boolean;
  readonly stops: boolean;
}

/** The fields of the copy: `1`, `2`, … as sent, `1~` as converted, `half of 2`, `person's`, or gone. */
export type Fields = string;

export interface Row {
  readonly state: "written" | "matched" | "failed";
  readonly version: number;
  readonly fields: Fields;
  /** The source has, or had, a version that was not written: rejected, or a person had edited the copy. */
  readonly behind: boolean;
  /** An update without a clear answer may have changed the copy. */
  readonly unclear: boolean;
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
  /** It had another version once. */
  readonly changed: boolean;
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
  readonly report: "nothing" | "edited" | "maybe edited" | "rejected" | "deleted";
  readonly edited: boolean;
  /** The run was stopped before its end. */
  readonly stopped: boolean;
  /** The version of the last update without an answer; 0: none. */
  readonly doubted: number;
  readonly wrong: string | null;
}

export const deltaStart = ({ begins, converts }: DeltaEnvironment): DeltaState => {
  const fields = begins === "matched" ? "person's" : converts ? "1~" : "1";
  return {
    source: 1,
    changed: false,
    due: false,
    fresh: false,
    copy: fields,
    row: { state: begins, version: 1, fields, behind: false, unclear: false },
    run: 0,
    task: "ended",
    batch: null,
    worker: null,
    calls: [],
    report: "nothing",
    edited: false,
    stopped: false,
    doubted: 0,
    wrong: null,
  };
};
