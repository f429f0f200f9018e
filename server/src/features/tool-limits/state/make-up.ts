import { type AccountState, type KnownLimit, openIn, usageIn } from "./account-state.ts";
import { type Lane, laneWeight, sumIn } from "./lanes.ts";
import { intervalMs, isPaced } from "./pace.ts";
import { countSince } from "./usage.ts";

/** How much faster lost starts are made up for. */
const hurry = 0.2;
/** Make up only below the first share, and fill a window no further than the second: counts lag slightly behind. */
const behindShare = 0.9925;
const fullShare = 0.99;
/** Use is counted in quarters of a second: too coarse for a short window or a small quota. */
const leastWindowMs = 30_000;
const leastRequests = 100;

/** Whether the count of a window is fine enough to rely on. */
export const isCountable = ({ requests, perMs }: Pick<KnownLimit, "requests" | "perMs">): boolean =>
  perMs >= leastWindowMs && requests >= leastRequests;

/** Slightly longer than the window: counts lag behind. */
export const countedUntil = (perMs: number, nowMs: number): number => nowMs + perMs * 1.05;

/** Charges unplanned starts: that many fewer are granted. */
export const charge = (
  limits: readonly KnownLimit[],
  charged: Readonly<Record<Lane, number>>,
  nowMs: number,
): void => {
  for (const limit of limits.filter(isPaced)) {
    const unplanned = sumIn(limit, charged);
    if (unplanned > 0) limit.nextAt = Math.max(limit.nextAt, nowMs) + unplanned * intervalMs(limit);
  }
};

/** Since when starts are missed: requests waited without a break, and the tool would have accepted them. */
const watchDemand = (state: AccountState, limits: readonly KnownLimit[], nowMs: number) => {
  const isWaitedFor = Object.values(state.members).some(({ weight }) => weight > 0);
  for (const limit of limits) {
    if (!isWaitedFor) limit.waitedSince = null;
    else if (state.pausedUntil > nowMs) limit.waitedSince = state.pausedUntil;
    else limit.waitedSince ??= nowMs;
  }
};

/** The tool accepted requests again some time before any process came back to it. */
export const missSince = (limits: readonly KnownLimit[], freeMs: number | null): void => {
  if (freeMs !== null) for (const limit of limits) limit.waitedSince = freeMs;
};

/**
 * The schedule of starts. Even spacing alone keeps every window but can't make up for starts lost while a process or
 * the database stalled. So while there were fewer starts than even spacing gives, it goes slightly faster, and for one
 * window from then on also counts the requests in a window.
 */
export const createStarts = (
  state: AccountState,
  limits: readonly KnownLimit[],
  earliest: number,
  nowMs: number,
) => {
  const paced = limits.filter(isPaced);
  watchDemand(state, paced, nowMs);
  const used = new Map(
    paced.map((limit) => [limit, { usage: usageIn(state, limit), open: openIn(state, limit) }]),
  );
  const byLane = new Map<Lane, readonly KnownLimit[]>();
  const limitsIn = (lane: Lane): readonly KnownLimit[] => {
    const counting = byLane.get(lane) ?? paced.filter((limit) => laneWeight(limit, lane) > 0);
    byLane.set(lane, counting);
    return counting;
  };
  /** All requests in the window before a start, including those in flight and granted. */
  const inWindow = (at: number, limit: KnownLimit) => {
    const { usage, open } = used.get(limit) ?? { usage: [], open: 0 };
    return countSince(usage, at - limit.perMs, nowMs) + open;
  };

  const isBehind = (at: number, limit: KnownLimit) => {
    const { perMs, waitedSince } = limit;
    if (waitedSince === null || !isCountable(limit)) return false;
    const due = Math.min(perMs, at - waitedSince) / intervalMs(limit);
    return inWindow(at, limit) + 1 < due * behindShare;
  };

  const nextOf = (limit: KnownLimit, until: number): number => {
    const spaced = Math.max(earliest, limit.nextAt);
    const sooner = Math.max(earliest, limit.nextAt - hurry * intervalMs(limit));
    if (sooner < spaced && isBehind(sooner, limit)) return sooner;
    let at = spaced;
    if (at < limit.countedUntil)
      while (at <= until && inWindow(at, limit) >= limit.requests * fullShare) at += intervalMs(limit);
    return at;
  };

  return {
    /** The earliest start that all limits allow, searched up to `until`. */
    next: (lane: Lane, until: number): number =>
      Math.max(earliest, ...limitsIn(lane).map((limit) => nextOf(limit, until))),
    take(lane: Lane, at: number) {
      for (const limit of limitsIn(lane)) {
        const counts = used.get(limit);
        if (counts) counts.open += 1;
        if (at < limit.nextAt) limit.countedUntil = countedUntil(limit.perMs, at);
        limit.nextAt = at + intervalMs(limit);
      }
    },
  };
};
