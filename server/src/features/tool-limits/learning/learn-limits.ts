import {
  type AccountState,
  type KnownLimit,
  limitKey,
  type RefusalBurst,
  usageIn,
} from "../state/account-state.ts";
import { countBetween } from "../state/usage.ts";
import { limitBehind, quotaBehind } from "../state/windows.ts";

const firstStep = 0.02;
const boldestStep = 0.5;
const longestWaitMs = 3_600_000;
/** How many windows a counted limit is trusted before a raise: a failed trial costs about two seconds of the quota. */
const trustedWindows = 10;
const doubtedWindows = 3;
/** The smallest cut after a refusal: the count before it may be slightly too high. */
const smallestCut = 0.995;
const deepestCut = 0.5;

/** A limit known only from the tool's answers. */
export const feltLimit = (requests: number, perMs: number, nowMs: number): KnownLimit => ({
  requests,
  perMs,
  declared: null,
  told: false,
  nextAt: 0,
  waitedSince: null,
  countedUntil: 0,
  raise: {
    at: nowMs + trustedWindows * perMs,
    step: firstStep,
    waitMs: trustedWindows * perMs,
    trial: null,
  },
});

/** If the tool did not say how long to wait, the window is a guess: raise it sooner and in larger steps. */
const guessed = (limit: KnownLimit, nowMs: number): KnownLimit => ({
  ...limit,
  raise: { at: nowMs + limit.perMs, step: 0.1, waitMs: limit.perMs, trial: null },
});

const cut = (limit: KnownLimit, accepted: number, isWaitKnown: boolean, nowMs: number) => {
  const { raise, requests, perMs } = limit;
  const ceiling = raise.trial ? raise.trial.from : requests * smallestCut;
  // Headers give the quota more precisely than a count does.
  const counted = limit.told ? ceiling : Math.max(accepted, requests * deepestCut);
  limit.requests = Math.max(1, Math.min(ceiling, counted));
  const longestMs = Math.max(longestWaitMs, 3 * perMs);
  const leastMs = (isWaitKnown ? trustedWindows : doubtedWindows) * perMs;
  const waitMs = raise.trial ? Math.min(raise.waitMs * 3, longestMs) : Math.max(raise.waitMs, leastMs);
  limit.raise = { at: nowMs + waitMs, step: firstStep, waitMs, trial: null };
};

/** Learns from a refusal, once all requests accepted before it are counted. */
export const concludeRefusal = (
  state: AccountState,
  limits: readonly KnownLimit[],
  refused: RefusalBurst,
  nowMs: number,
): void => {
  const behind = limitBehind(state, limits, refused, nowMs);
  if (behind) return cut(behind.limit, behind.accepted, refused.freeMs !== null, nowMs);
  const quota = quotaBehind(state, refused, nowMs);
  if (!quota) return;
  const felt = feltLimit(quota.requests, quota.perMs, nowMs);
  state.limits[limitKey(quota)] = refused.freeMs === null ? guessed(felt, nowMs) : felt;
};

/** A request is counted with its answer, and reported with the next report. */
const reportMs = 1_000;

/** What a limit counted in the latest time for which all reports are in. */
export const usedLately = (state: AccountState, limit: KnownLimit, forMs: number, nowMs: number) => {
  const until = nowMs - state.latencyMs - reportMs;
  return countBetween(usageIn(state, limit), until - forMs, until, nowMs);
};

const saturatedShare = 0.93;

/**
 * Tests whether the tool allows more: raises a saturated limit a little, for one window. A successful raise stays and
 * the next step is larger; a refused one is taken back, with a long wait before the next attempt.
 */
export const raiseLimits = (state: AccountState, limits: readonly KnownLimit[], nowMs: number): void => {
  for (const limit of limits) {
    const { raise, perMs } = limit;
    if (limit.told || state.refused) continue;
    if (raise.trial && nowMs >= raise.trial.until)
      limit.raise = { at: nowMs, step: Math.min(boldestStep, raise.step * 2), waitMs: perMs, trial: null };
    else if (!raise.trial && nowMs >= raise.at) {
      const used = usedLately(state, limit, perMs, nowMs);
      if (used < limit.requests * saturatedShare) raise.at = nowMs + perMs / 2;
      else {
        raise.trial = { from: limit.requests, until: nowMs + perMs * 1.2 + 2_000 };
        limit.requests = Math.max(limit.requests + 1, limit.requests * (1 + raise.step));
      }
    }
  }
};
