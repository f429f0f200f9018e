import type { Side } from "../state/account-state.ts";

export interface Waiter {
  readonly run: string;
  readonly side: Side;
  readonly kind: "read" | "write";
  start(): void;
  giveUp(error: Error): void;
}

/** Runs take turns: one with many waiting requests goes no faster than one with a single request. */
export const createWaitingLine = () => {
  const runs = new Map<string, Waiter[]>();
  /** The number of waiters per side and per kind. */
  const waiting = { source: 0, destination: 0, read: 0, write: 0 };
  const count = ({ side, kind }: Waiter, by: number) => {
    waiting[side] += by;
    waiting[kind] += by;
  };
  const taken = (run: string, queue: Waiter[], index: number): Waiter => {
    const [waiter] = queue.splice(index, 1) as [Waiter];
    count(waiter, -1);
    // The run goes to the end of the line, whether or not more of its requests wait.
    runs.delete(run);
    if (queue.length > 0) runs.set(run, queue);
    return waiter;
  };
  return {
    waiting: waiting as Readonly<typeof waiting>,
    size: () => waiting.source + waiting.destination,
    runs: () => runs.keys(),
    add(waiter: Waiter) {
      const queue = runs.get(waiter.run);
      if (queue) queue.push(waiter);
      else runs.set(waiter.run, [waiter]);
      count(waiter, 1);
    },
    /** The next waiter in turn that can start. */
    next(accepts: (waiter: Waiter) => boolean): Waiter | undefined {
      for (const [run, queue] of runs) {
        const index = queue.findIndex(accepts);
        if (index >= 0) return taken(run, queue, index);
      }
      return undefined;
    },
    remove(waiter: Waiter) {
      const queue = runs.get(waiter.run);
      const index = queue?.indexOf(waiter) ?? -1;
      if (!queue || index < 0) return;
      queue.splice(index, 1);
      count(waiter, -1);
      if (queue.length === 0) runs.delete(waiter.run);
    },
    clear(): readonly Waiter[] {
      const all = [...runs.values()].flat();
      runs.clear();
      for (const waiter of all) count(waiter, -1);
      return all;
    },
  };
};
