import type { Counts, Tallies } from "../chunk/lease.ts";
import type { RunKind, RunState, Side, Task, Wanted } from "../run.ts";

/** All partitions of a run that do the same to the same stream, added up. */
export interface RunGroup extends Counts {
  readonly task: Task;
  readonly stream: string;
  readonly step: number;
  readonly running: boolean;
  readonly waiting: boolean;
  /** Some of it was given up. */
  readonly stopped: boolean;
  /** How many records there are, by what the source said before; null: it did not say. */
  readonly expected: number | null;
  /** Records a second over the last minutes; null: nobody can say yet. */
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
  readonly startedAt: Date;
}

export const isEnded = ({ running, waiting }: RunGroup): boolean => !running && !waiting;

/** What was settled one way or another; the rest of what was read was as it should be already. */
export const settledCount = ({ created, updated, matched, skipped, failed, kept }: Counts): number =>
  created + updated + matched + skipped + failed + kept;
