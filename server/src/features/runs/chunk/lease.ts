import type { Family } from "@portage/contract";
import type { RunKind, Task, Wanted } from "../run.ts";

/** Counters of a partition, as they are added up. */
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

/** How often something happened: by what it is, `reason|skipped|parent_missing`. */
export type Tallies = Readonly<Record<string, number>>;

/** The one batch of a partition of which nobody can say yet whether it took effect. */
export interface Batch {
  readonly ids: readonly string[];
  readonly hashes: readonly Buffer[];
  /** `stream/id` of the record that each belongs to, at the source; empty: none. */
  readonly parents: readonly string[];
  readonly since: Date;
  /** By the database's clock, how long until no request of it can be sent any more; negative: it has passed. */
  readonly deadlineInMs: number;
}

/** What an attempt holds of its partition: good as long as nobody has a higher epoch. */
export interface Lease {
  readonly runId: string;
  readonly partition: number;
  readonly generation: number;
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
  readonly failingForMs: number;
  readonly mappingRevision: number;
  readonly leaf: string;
  readonly since: Date | null;
}

/** How long an attempt may hold things. The deadline of a write is measured from before its claim. */
export interface LeaseTimes {
  /** Until a silent partition is taken for lost. */
  readonly leaseMs: number;
  /** From the claim to the last moment at which a request of its batch may be under way. */
  readonly writeMs: number;
}
