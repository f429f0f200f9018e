import type { Lease } from "./advance.ts";

/** How often a lease is renewed: before the slots of the last one run out, and slowly where there are none. */
const aloneMs = 1_000;
const sharedMs = 500;
const idleMs = 3_000;
const leastGapMs = 100;
const crowdedGapMs = 300;
/** How long an account without limits goes on without writing. */
const quietMs = 4_000;
/** Who has not used the account for so long gives back what it holds. */
const overMs = 10_000;

/** When this process speaks next to the row of an account, in moments of its own clock. */
export const createSchedule = (now: () => number, wake: (at: number) => void) => {
  let dueAt = Number.POSITIVE_INFINITY;
  let spokeAt = Number.NEGATIVE_INFINITY;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let usedAt = now();
  /** Asking for slots before then is in vain. */
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
    /** Others must know, or somebody waits for an answer. */
    urge: () => by(now()),
    soon: () => by(Math.max(now(), spokeAt + leastGapMs)),
    starve: () => by(Math.max(now(), slotsAt, spokeAt + leastGapMs)),
    /** Places are held by other processes. */
    crowded: () => by(Math.max(now(), spokeAt + crowdedGapMs)),
    used() {
      usedAt = now();
      if (dueAt === Number.POSITIVE_INFINITY) by(usedAt + aloneMs);
    },
    isQuiet: () => now() - wroteAt < quietMs,
    isOver: () => now() - usedAt > overMs,
    leased({ isLimited, isShared }: Lease, nextAt: number | null, pausedUntil: number) {
      const periodMs = isLimited && isShared ? sharedMs : aloneMs;
      spoke(periodMs);
      wroteAt = spokeAt;
      // Half a lease ahead, since the other half lasts until the answer is here.
      slotsAt = nextAt === null ? spokeAt : Math.max(spokeAt + leastGapMs, nextAt - periodMs);
      if (nextAt !== null) dueAt = Math.min(slotsAt, spokeAt + idleMs);
      if (pausedUntil > spokeAt)
        dueAt = Math.min(dueAt, Math.max(spokeAt + leastGapMs, pausedUntil - periodMs));
      wake(dueAt);
    },
    /** Nothing had to be written. */
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
