import { isDeepStrictEqual } from "node:util";
import type { Call } from "@portage/connector-kit/http";
import type { Side } from "../state/account-state.ts";
import { type ByLane, byLane, type Lane, laneOf, type LaneRule } from "../state/lanes.ts";
import { createWaitingLine, type Waiter } from "./waiting-line.ts";

/** What a lease allows, in times of this process's clock. */
export interface Rules {
  readonly isLimited: boolean;
  readonly laneRule: LaneRule;
  readonly lateMs: number;
  readonly chargedLateMs: number;
  readonly places: Readonly<Record<Side, number>>;
  readonly until: number;
  readonly isUnsettled: boolean;
}

interface Needs {
  readonly now: () => number;
  /** Whether the circuits let one more request start. */
  readonly mayStart: () => boolean;
  readonly started: () => void;
  /** A request waits for something only a new lease can give: slots, or the lease itself. */
  readonly starving: () => void;
  /** A request waits for a place. */
  readonly crowded: () => void;
}

/** Starts requests of one account in this process: each needs a place and, if there are limits, a slot. */
export const createGate = ({ now, mayStart, started, starving, crowded }: Needs) => {
  const line = createWaitingLine();
  const running: Record<Side, number> = { source: 0, destination: 0 };
  const slots: Record<Lane, number[]> = {};
  /** Requests that run, by lane. */
  const runningBy: Record<Lane, number> = {};
  let starts = byLane(() => 0);
  let charged = byLane(() => 0);
  let rules: Rules | null = null;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  /** The next slot that is not too late to use. */
  const nextSlot = (lane: Lane, at: number, late: number): number | undefined => {
    const queue = (slots[lane] ??= []);
    while (queue[0] !== undefined && queue[0] < at - late) queue.shift();
    return queue[0];
  };

  const isOpen = (at: number): boolean =>
    rules !== null && at < rules.until && at >= pausedUntil && !rules.isUnsettled && mayStart();

  const begin = (side: Side, lane: Lane, { isLimited, lateMs }: Rules) => {
    if (isLimited && (slots[lane]?.shift() ?? 0) < now() - lateMs) charged[lane] = (charged[lane] ?? 0) + 1;
    running[side] += 1;
    runningBy[lane] = (runningBy[lane] ?? 0) + 1;
    starts[lane] = (starts[lane] ?? 0) + 1;
    started();
  };

  /** The lane in which the request has started; null: it must wait. */
  const tryStart = (call: Call, side: Side): Lane | null => {
    const at = now();
    if (!isOpen(at) || !rules || running[side] >= rules.places[side]) return null;
    const lane = laneOf(call, rules.laneRule);
    if (rules.isLimited) {
      const slot = nextSlot(lane, at, rules.chargedLateMs);
      if (slot === undefined || slot > at) return null;
    }
    begin(side, lane, rules);
    return lane;
  };

  const nextWaiter = (at: number, { isLimited, laneRule, chargedLateMs, places }: Rules) => {
    const hasPlace = ({ side }: Waiter) => running[side] < places[side];
    for (const lane of Object.keys(line.byLane(laneRule))) {
      const slot = isLimited ? nextSlot(lane, at, chargedLateMs) : at;
      if (slot === undefined || slot > at) continue;
      const waiter = line.next((each) => laneOf(each.call, laneRule) === lane && hasPlace(each));
      if (waiter) return { waiter, lane };
    }
    return undefined;
  };

  /** The next slot of each lane in which a request waits. */
  const awaited = (at: number, { laneRule, chargedLateMs }: Rules): (number | undefined)[] =>
    Object.keys(line.byLane(laneRule)).map((lane) => nextSlot(lane, at, chargedLateMs));

  /** Makes sure that the line is looked at again. */
  const arm = (at: number) => {
    const pumpAt = (ms: number) => {
      timer = setTimeout(pump, Math.max(1, Math.ceil(ms - at)));
    };
    if (at < pausedUntil) return pumpAt(pausedUntil);
    if (!rules || at >= rules.until || rules.isUnsettled) return starving();
    if (!rules.isLimited) return crowded();
    const next = awaited(at, rules);
    if (next.includes(undefined)) starving();
    const slot = Math.min(...next.filter((each) => each !== undefined));
    if (slot === Number.POSITIVE_INFINITY) return;
    if (slot > at) return pumpAt(slot);
    // The slot is due but no place is free: look at the next slot when this one is too late.
    crowded();
    pumpAt(slot + rules.chargedLateMs + 1);
  };

  const pump = () => {
    clearTimeout(timer);
    timer = undefined;
    for (let at = now(); rules && line.size() > 0 && isOpen(at); at = now()) {
      const next = nextWaiter(at, rules);
      if (!next) break;
      begin(next.waiter.side, next.lane, rules);
      next.waiter.start(next.lane);
    }
    if (line.size() > 0) arm(now());
  };

  return {
    line,
    running,
    runningBy: runningBy as Readonly<Record<Lane, number>>,
    slots,
    pump,
    tryStart,
    wait(waiter: Waiter) {
      line.add(waiter);
      pump();
    },
    release(side: Side, lane: Lane) {
      running[side] -= 1;
      runningBy[lane] = (runningBy[lane] ?? 1) - 1;
      if (runningBy[lane] === 0) delete runningBy[lane];
      if (line.size() > 0) pump();
    },
    setRules(next: Rules | null, more: Readonly<Record<Lane, readonly number[]>> | null) {
      // A slot is of no use in a lane that no request has any more.
      const isKept = next?.isLimited === true && isDeepStrictEqual(next.laneRule, rules?.laneRule);
      rules = next;
      if (!isKept) for (const lane of Object.keys(slots)) delete slots[lane];
      if (!next?.isLimited) return;
      for (const [lane, times] of Object.entries(more ?? {}))
        if (times.length > 0) slots[lane] = [...(slots[lane] ?? []), ...times].toSorted((a, b) => a - b);
    },
    rules: () => rules,
    pauseUntil(at: number) {
      pausedUntil = at;
    },
    pausedUntil: () => pausedUntil,
    /** How many requests started since the last call, and how many of them on a late slot. */
    takeCounts(): Record<"starts" | "charged", ByLane<number>> {
      const taken = { starts, charged };
      starts = byLane(() => 0);
      charged = byLane(() => 0);
      return taken;
    },
    charge(more: Readonly<Record<Lane, number>>) {
      for (const [lane, count] of Object.entries(more)) charged[lane] = (charged[lane] ?? 0) + count;
    },
    close: () => clearTimeout(timer),
  };
};

export type Gate = ReturnType<typeof createGate>;
