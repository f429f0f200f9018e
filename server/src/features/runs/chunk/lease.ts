import type { Family } from "@portage/contract";
import type { RunKind, Side, Task, Wanted } from "../run.ts";

/** Counters of a partition, as sums. */
export interface Counts {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly matched: number;
  readonly skipped: number;
  readonly failed: number;
  readonly removed: number;
  readonly kept: number;
}

export const noCounts: Counts = {
  read: 0,
  created: 0,
  updated: 0,
  matched: 0,
  skipped: 0,
  failed: 0,
  removed: 0,
  kept: 0,
};

/** How often something happened, by key: `reason|skipped|parent_missing`. */
export type Tallies = Readonly<Record<string, number>>;

/** The one batch of a partition whose effect is not known yet. */
export interface Batch {
  readonly ids: readonly string[];
  /** In hexadecimal digits, as everywhere. */
  readonly hashes: readonly string[];
  /** `stream/id` of each record's parent in the source; empty: none. */
  readonly parents: readonly string[];
  readonly since: Date;
  /** In the database's clock, the time until no request of it can be sent any more; negative: it has passed. */
  readonly deadlineInMs: number;
}

/** An attempt's view of its partition: valid as long as no other attempt has taken it. */
export interface Lease {
  readonly runId: string;
  readonly partition: number;
  readonly generation: number;
  /** Random, so that no other attempt ever has it. */
  readonly token: string;
  /** Counts the attempts of a partition. */
  readonly epoch: number;
  readonly importId: string;
  readonly family: Family;
  readonly runNumber: number;
  readonly kind: RunKind;
  readonly wanted: Wanted;
  readonly task: Task;
  readonly stream: string;
  readonly slice: unknown;
  readonly cursor: unknown;
  readonly batch: Batch | null;
  readonly tallies: Tallies;
  readonly failures: number;
  /** How many attempts before this one ended without a trace since the cursor last moved: with their process. */
  readonly lostAttempts: number;
  readonly failingForMs: number;
  readonly mappingRevision: number;
  /** Whether other partitions of the run were at work when this attempt began. */
  readonly isBesideOthers: boolean;
  /** Which sign-ins the sides have; null: none. */
  readonly signIns: Readonly<Record<Side, number | null>>;
  readonly leaf: string;
  /** How often the run has rested because the destination refused record after record. */
  readonly refusalPauses: number;
  readonly since: Date | null;
  /**
   * Commits may be lost, by a failover or a restore: the first generation of keys that lost writes may have. Null: none is
   * lost.
   */
  readonly looksFrom: number | null;
  /** Since the database's server was recognized: no write of the time before is sent any more after `writeMs`. */
  readonly recognizedForMs: number;
  /** Since the partition started: everything that had to be written before it was, by then. */
  readonly startedForMs: number;
  /** Called with what the attempt has committed, for metrics. */
  readonly onSettled?: (counts: Counts) => void;
}

/** After this many lost attempts a partition is worked on alone, record by record. */
const suspectAfter = 3;
/** After this many, what comes next in it is set aside. */
const hopelessAfter = 6;

export const isSuspect = ({ lostAttempts }: Pick<Lease, "lostAttempts">) => lostAttempts >= suspectAfter;
export const isHopeless = ({ lostAttempts }: Pick<Lease, "lostAttempts">) => lostAttempts >= hopelessAfter;

/** How long an attempt may hold things. The write deadline counts from before the claim. */
export interface LeaseTimes {
  /** Until a silent partition is considered lost. */
  readonly leaseMs: number;
  /** From the claim to the last moment at which a request of its batch may be in flight. */
  readonly writeMs: number;
}
