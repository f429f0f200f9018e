import type { Counts, Tallies } from "../chunk/lease.ts";
import type { Refusals, RunKind, RunState, Side, Task, Wanted } from "../run.ts";

/** All partitions of a run with the same task and stream, added up. */
export interface RunGroup extends Counts {
  readonly task: Task;
  readonly stream: string;
  readonly step: number;
  readonly running: boolean;
  readonly waiting: boolean;
  /** Some of it was given up. */
  readonly stopped: boolean;
  /** The source's number of records; null: it gave none. */
  readonly expected: number | null;
  /** Records a second over the last minutes; null: unknown yet. */
  readonly pace: number | null;
  /** How long it has been at work, or was. */
  readonly seconds: number;
}

export interface GroupTallies {
  readonly task: Task;
  readonly stream: string;
  readonly tallies: Tallies;
}

/** A run that has not ended. */
export interface LiveRun {
  readonly id: string;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly wanted: Wanted;
  readonly waitingFor: Side | null;
  readonly refusals: Refusals | null;
  readonly startedAt: Date;
}

export const isEnded = ({ running, waiting }: RunGroup): boolean => !running && !waiting;

/** All settled records; the rest of the read ones was already as it should be. */
export const settledCount = ({ created, updated, matched, skipped, failed, kept }: Counts): number =>
  created + updated + matched + skipped + failed + kept;
