import type { Call } from "@portage/connector-kit/http";
import type { Side } from "../state/account-state.ts";
import { type Lane, laneOf, type LaneRule } from "../state/lanes.ts";

export interface Waiter {
  readonly run: string;
  readonly side: Side;
  readonly call: Call;
  start(lane: Lane): void;
  giveUp(error: Error): void;
}

/** Runs take turns: one with many waiting requests goes no faster than one with a single request. */
export const createWaitingLine = () => {
  const runs = new Map<string, Waiter[]>();
  /** The number of waiters per side. */
  const waiting = { source: 0, destination: 0 };
  const calls = new Map<string, { readonly call: Call; count: number }>();
  const count = ({ side, call }: Waiter, by: number) => {
    waiting[side] += by;
    const key = JSON.stringify([call.kind, call.class, call.cost]);
    const same = calls.get(key) ?? { call, count: 0 };
    same.count += by;
    if (same.count === 0) calls.delete(key);
    else calls.set(key, same);
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
    /** The number of waiters per lane. */
    byLane(rule: LaneRule): Readonly<Record<Lane, number>> {
      const counts: Record<Lane, number> = {};
      for (const each of calls.values()) {
        const lane = laneOf(each.call, rule);
        counts[lane] = (counts[lane] ?? 0) + each.count;
      }
      return counts;
    },
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
