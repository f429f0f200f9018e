import { type Lane, lanes, type Side } from "../state/account-state.ts";
import { createWaitingLine, type Waiter } from "./waiting-line.ts";

/** What a lease allows, in times of this process's clock. */
export interface Rules {
  readonly isLimited: boolean;
  readonly lanes: readonly Lane[];
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
  const slots: Record<Lane, number[]> = { any: [], read: [], write: [] };
  const starts: Record<Lane, number> = { any: 0, read: 0, write: 0 };
  const charged: Record<Lane, number> = { any: 0, read: 0, write: 0 };
  let rules: Rules | null = null;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  const laneOf = (kind: "read" | "write", { lanes: used }: Rules): Lane => (used[0] === "any" ? "any" : kind);

  /** The next slot that is not too late to use. */
  const nextSlot = (lane: Lane, at: number, late: number): number | undefined => {
    const queue = slots[lane];
    while (queue[0] !== undefined && queue[0] < at - late) queue.shift();
    return queue[0];
  };

  const isOpen = (at: number): boolean =>
    rules !== null && at < rules.until && at >= pausedUntil && !rules.isUnsettled && mayStart();

  const begin = (side: Side, lane: Lane, { isLimited, lateMs }: Rules) => {
    if (isLimited && (slots[lane].shift() ?? 0) < now() - lateMs) charged[lane] += 1;
    running[side] += 1;
    starts[lane] += 1;
    started();
  };

  const tryStart = (kind: "read" | "write", side: Side): boolean => {
    const at = now();
    if (!isOpen(at) || !rules || running[side] >= rules.places[side]) return false;
    const lane = laneOf(kind, rules);
    if (rules.isLimited) {
      const slot = nextSlot(lane, at, rules.chargedLateMs);
      if (slot === undefined || slot > at) return false;
    }
    begin(side, lane, rules);
    return true;
  };

  const nextWaiter = (at: number, { isLimited, lanes: used, chargedLateMs, places }: Rules) => {
    const hasPlace = ({ side }: Waiter) => running[side] < places[side];
    for (const lane of used) {
      const slot = isLimited ? nextSlot(lane, at, chargedLateMs) : at;
      if (slot === undefined || slot > at) continue;
      const waiter = line.next((each) => (lane === "any" || each.kind === lane) && hasPlace(each));
      if (waiter) return { waiter, lane };
    }
    return undefined;
  };

  /** The time of the next slot that a request waits for. */
  const slotAt = (at: number, { lanes: used, chargedLateMs }: Rules): number | undefined => {
    const next = used.flatMap((lane) => {
      const slot = nextSlot(lane, at, chargedLateMs);
      const waiting = lane === "any" ? line.size() : line.waiting[lane];
      return slot !== undefined && waiting > 0 ? [slot] : [];
    });
    return next.length === 0 ? undefined : Math.min(...next);
  };

  /** Makes sure that the line is looked at again. */
  const arm = (at: number) => {
    const pumpAt = (ms: number) => {
      timer = setTimeout(pump, Math.max(1, Math.ceil(ms - at)));
    };
    if (at < pausedUntil) return pumpAt(pausedUntil);
    if (!rules || at >= rules.until || rules.isUnsettled) return starving();
    if (!rules.isLimited) return crowded();
    const slot = slotAt(at, rules);
    if (slot === undefined) return starving();
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
      next.waiter.start();
    }
    if (line.size() > 0) arm(now());
  };

  return {
    line,
    running,
    slots,
    pump,
    tryStart,
    wait(waiter: Waiter) {
      line.add(waiter);
      pump();
    },
    release(side: Side) {
      running[side] -= 1;
      if (line.size() > 0) pump();
    },
    setRules(next: Rules | null, more: Readonly<Record<Lane, readonly number[]>> | null) {
      rules = next;
      for (const lane of lanes)
        if (!next?.isLimited) slots[lane].length = 0;
        else if (more && more[lane].length > 0) {
          slots[lane].push(...more[lane]);
          slots[lane].sort((a, b) => a - b);
        }
    },
    rules: () => rules,
    pauseUntil(at: number) {
      pausedUntil = at;
    },
    pausedUntil: () => pausedUntil,
    /** How many requests started since the last call, and how many of them on a late slot. */
    takeCounts(): Record<"starts" | "charged", Record<Lane, number>> {
      const taken = { starts: { ...starts }, charged: { ...charged } };
      for (const lane of lanes) starts[lane] = charged[lane] = 0;
      return taken;
    },
    charge(more: Readonly<Record<Lane, number>>) {
      for (const lane of lanes) charged[lane] += more[lane];
    },
    close: () => clearTimeout(timer),
  };
};

export type Gate = ReturnType<typeof createGate>;
