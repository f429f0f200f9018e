import { type Lane, lanes, type Side, sides } from "../state/account-state.ts";
import type { Gate } from "./gate.ts";

export interface Demand {
  readonly weight: number;
  readonly want: Readonly<Record<Lane, number>>;
  readonly returned: Readonly<Record<Lane, readonly number[]>>;
  readonly open: number;
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
  const rates: Record<Lane, number> = { any: 0, read: 0, write: 0 };
  const peaks: Record<Side, number> = { source: 0, destination: 0 };
  const waited = new Set<string>();
  let lastAt = now();

  const slotsWanted = (lane: Lane, started: number, passedMs: number, horizonMs: number) => {
    // A pause says nothing about the demand.
    const isPaused = gate.pausedUntil() > lastAt;
    const rate = started / Math.max(50, passedMs);
    rates[lane] = Math.max(rate, isPaused ? rates[lane] : rates[lane] * decay);
    const waiting = lane === "any" ? gate.line.size() : gate.line.waiting[lane];
    const usual = rates[lane] * horizonMs;
    if (waiting > 0 || waited.size > 0) return 2 * usual + waiting + 2;
    return usual < 0.2 ? 0 : 1.25 * usual + 1;
  };

  return {
    /** A request of this run could not start at once. */
    noteWait: (run: string) => void waited.add(run),
    take(used: readonly Lane[], horizonMs: number): Demand {
      const at = now();
      const { starts, charged } = gate.takeCounts();
      const want: Record<Lane, number> = { any: 0, read: 0, write: 0 };
      const returned: Record<Lane, number[]> = { any: [], read: [], write: [] };
      for (const lane of used) {
        const target = slotsWanted(lane, starts[lane], at - lastAt, horizonMs);
        const held = gate.slots[lane];
        want[lane] = Math.max(0, Math.ceil(target - held.length));
        // The latest ones: they are the most useful to other processes.
        if (held.length > target + 1) returned[lane] = held.splice(Math.ceil(target));
      }
      for (const run of gate.line.runs()) waited.add(run);
      const weight = waited.size;
      waited.clear();
      lastAt = at;
      const places = Object.fromEntries(
        sides.map((side) => {
          const running = gate.running[side];
          peaks[side] = Math.max(running + gate.line.waiting[side], peaks[side] * decay);
          return [side, { want: peaks[side] < 0.3 ? 0 : Math.ceil(peaks[side]), running }];
        }),
      ) as Record<Side, { want: number; running: number }>;
      const open = lanes.reduce((sum, lane) => sum + gate.slots[lane].length, 0);
      const running = gate.running.source + gate.running.destination;
      return { weight, want, returned, open: open + running, charged, places };
    },
    /** The report was lost: keep what was to be given back. */
    putBack({ returned, weight, charged }: Demand) {
      gate.charge(charged);
      for (const lane of lanes) gate.slots[lane].push(...returned[lane]);
      if (weight > 0) waited.add("");
    },
  };
};
