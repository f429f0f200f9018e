import type { SlotLease } from "./advance.ts";

/** How often to renew a lease: before its slots run out, and rarely while the account is idle. */
const aloneMs = 1_000;
const sharedMs = 500;
const idleMs = 3_000;
const leastGapMs = 100;
const crowdedGapMs = 300;
/** How long an account without limits goes on without a write. */
const quietMs = 4_000;
/** After this long without use a process gives back what it holds. */
const overMs = 10_000;

/** When this process next exchanges the row of an account, in times of its own clock. */
export const createSchedule = (now: () => number, wake: (at: number) => void) => {
  let dueAt = Number.POSITIVE_INFINITY;
  let spokeAt = Number.NEGATIVE_INFINITY;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let usedAt = now();
  /** Before this time, a request for slots is futile. */
  let slotsAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  const by = (at: number) => {
    if (at >= dueAt) return;
    dueAt = at;
    wake(at);
  };
  const spoke = (periodMs: number) => {
    failures = 0;
    spokeAt = now();
    dueAt = spokeAt + (spokeAt - usedAt > idleMs ? idleMs : periodMs);
    wake(dueAt);
  };
  return {
    dueAt: () => dueAt,
    /** Other processes must know, or a request waits. */
    urge: () => by(now()),
    soon: () => by(Math.max(now(), spokeAt + leastGapMs)),
    starve: () => by(Math.max(now(), slotsAt, spokeAt + leastGapMs)),
    /** Other processes hold the places. */
    crowded: () => by(Math.max(now(), spokeAt + crowdedGapMs)),
    used() {
      usedAt = now();
      if (dueAt === Number.POSITIVE_INFINITY) by(usedAt + aloneMs);
    },
    isQuiet: () => now() - wroteAt < quietMs,
    isOver: () => now() - usedAt > overMs,
    leased({ isLimited, isShared }: SlotLease, nextAt: number | null, pausedUntil: number) {
      const periodMs = isLimited && isShared ? sharedMs : aloneMs;
      spoke(periodMs);
      wroteAt = spokeAt;
      // Half a lease ahead: the other half lasts until the answer arrives.
      slotsAt = nextAt === null ? spokeAt : Math.max(spokeAt + leastGapMs, nextAt - periodMs);
      if (nextAt !== null) dueAt = Math.min(slotsAt, spokeAt + idleMs);
      if (pausedUntil > spokeAt)
        dueAt = Math.min(dueAt, Math.max(spokeAt + leastGapMs, pausedUntil - periodMs));
      wake(dueAt);
    },
    /** There was nothing to write. */
    quiet: () => spoke(aloneMs),
    lost(why: "overtaken" | "unreachable") {
      failures = why === "overtaken" ? 0 : failures + 1;
      dueAt = now() + (failures === 0 ? 0 : Math.min(2_000, leastGapMs * 2 ** failures));
    },
    ended() {
      dueAt = Number.POSITIVE_INFINITY;
    },
  };
};
