import type { FaultKind as ToolFault } from "../tools/stand-in/options.ts";
import type { ChaosFixture } from "./chaos-fixture.ts";

export interface FaultKind {
  readonly name: string;
  /** The relative frequency of the fault. */
  readonly weight: number;
  /** Whether the fault kills a process with -9. */
  readonly kills: boolean;
  /** The fault that the tool injects; if absent, the tool behaves normally. */
  readonly tool?: ToolFault;
  /** It needs the namespaces of `own-space.ts`. */
  readonly inSpace?: true;
  run(chaos: ChaosFixture): Promise<void>;
}

/** Logs events beside the fault that runs. */
export type Say = (line: string) => void;

/** A number from `least` to below `most`. */
export const between = ({ random }: ChaosFixture, least: number, most: number) =>
  least + random.below(most - least);

/** The index of a worker that works and is in no other trouble, if there is one. */
export const busyWorker = (
  { processes, random }: ChaosFixture,
  frozen: ReadonlySet<number>,
): number | undefined => {
  const free = processes.workers.map((_, index) => index).filter((index) => !frozen.has(index));
  const busy = processes.busyWorkers().filter((index) => !frozen.has(index));
  const from = busy.length > 0 ? busy : free;
  return from.length === 0 ? undefined : random.pick(from);
};
