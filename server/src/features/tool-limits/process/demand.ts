import { type Side, sides } from "../state/account-state.ts";
import type { Lane, LaneRule } from "../state/lanes.ts";
import type { Gate } from "./gate.ts";

export interface Demand {
  readonly weight: number;
  readonly want: Readonly<Record<Lane, number>>;
  readonly returned: Readonly<Record<Lane, readonly number[]>>;
  readonly open: Readonly<Record<Lane, number>>;
  readonly charged: Readonly<Record<Lane, number>>;
  readonly places: Readonly<Record<Side, { readonly want: number; readonly running: number }>>;
}

const decay = 0.8;

/**
 * How much this process wants until its next report. While a request waits: twice the recent use, so that the process
 * soon has all it can use yet withholds little from others. Otherwise slightly more than the recent use, so that no
 * request has to wait.
 */
export const createDemand = (gate: Gate, now: () => number) => {
  const rates = new Map<Lane, number>();
  const peaks: Record<Side, number> = { source: 0, destination: 0 };
  const waited = new Set<string>();
  const waitedIn = new Set<Lane>();
  let lastAt = now();

  const slotsWanted = (lane: Lane, rate: number, waiting: number, horizonMs: number) => {
    // A pause says nothing about the demand.
    const isPaused = gate.pausedUntil() > lastAt;
    const last = rates.get(lane) ?? 0;
    const current = Math.max(rate, isPaused ? last : last * decay);
    const usual = current * horizonMs;
    rates.set(lane, current);
    if (waiting > 0 || waitedIn.has(lane)) return 2 * usual + waiting + 2;
    if (usual >= 0.2) return 1.25 * usual + 1;
    if (usual < 0.001) rates.delete(lane);
    return 0;
  };

  return {
    /** A request of this run could not start at once. */
    noteWait(run: string, lane: Lane) {
      waited.add(run);
      waitedIn.add(lane);
    },
    take(laneRule: LaneRule, horizonMs: number): Demand {
      const at = now();
      const passedMs = Math.max(50, at - lastAt);
      const { starts, charged } = gate.takeCounts();
      const waiting = gate.line.byLane(laneRule);
      const want: Record<Lane, number> = {};
      const returned: Record<Lane, number[]> = {};
      const open: Record<Lane, number> = { ...gate.runningBy };
      const known = [waiting, starts, gate.slots].flatMap(Object.keys);
      for (const lane of new Set([...known, ...rates.keys(), ...waitedIn])) {
        const target = slotsWanted(lane, (starts[lane] ?? 0) / passedMs, waiting[lane] ?? 0, horizonMs);
        const held = gate.slots[lane] ?? [];
        want[lane] = Math.max(0, Math.ceil(target - held.length));
        // The latest ones: they are the most useful to other processes.
        if (held.length > target + 1) returned[lane] = held.splice(Math.ceil(target));
        if (held.length > 0) open[lane] = (open[lane] ?? 0) + held.length;
      }
      for (const run of gate.line.runs()) waited.add(run);
      const weight = waited.size;
      waited.clear();
      waitedIn.clear();
      lastAt = at;
      const places = Object.fromEntries(
        sides.map((side) => {
          const running = gate.running[side];
          peaks[side] = Math.max(running + gate.line.waiting[side], peaks[side] * decay);
          return [side, { want: peaks[side] < 0.3 ? 0 : Math.ceil(peaks[side]), running }];
        }),
      ) as Record<Side, { want: number; running: number }>;
      return { weight, want, returned, open, charged, places };
    },
    /** The report was lost: keep what was to be given back. */
    putBack({ returned, weight, charged }: Demand) {
      gate.charge(charged);
      for (const [lane, times] of Object.entries(returned))
        gate.slots[lane] = [...(gate.slots[lane] ?? []), ...times];
      if (weight > 0) waited.add("");
    },
  };
};
