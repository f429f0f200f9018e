import type { AccountState, KnownLimit, Refused } from "./account-state.ts";
import { countBetween } from "./usage.ts";

/** The windows that tools use; what is not told exactly is taken for one of these. */
const usualWindowsMs = [1_000, 10_000, 60_000, 300_000, 900_000, 3_600_000, 86_400_000];

/** The smallest usual window that is no shorter than what was seen; a little longer is the tool's rounding. */
export const usualWindow = (seenMs: number): number =>
  usualWindowsMs.find((windowMs) => windowMs * 1.05 >= seenMs) ?? Math.ceil(seenMs);

/** How far apart the same moment is seen by requests that overtake each other. */
const overtakingMs = 250;

/** The first requests after a rest take longer on their way: those that started just before the window belong to it. */
const burstStart = ({ usage }: AccountState, fromMs: number, perMs: number, nowMs: number) => {
  const slackMs = Math.min(1_000, perMs / 10);
  const wasAtRest = countBetween(usage, fromMs - 5 * slackMs, fromMs - slackMs, nowMs) === 0;
  return wasAtRest ? fromMs - slackMs : fromMs;
};

/**
 * What was accepted in the window that ended with a refusal. It ends when the quota is free again, for a fixed window
 * (its edge) and for a sliding one (its oldest request leaves): so one count serves both. Until then nothing comes back,
 * so that requests which were held up on their way and came after a refusal count too.
 */
export const acceptedBefore = (
  state: AccountState,
  refused: Refused,
  perMs: number,
  nowMs: number,
): number => {
  const freeMs = refused.freeMs ?? refused.firstMs;
  const until = Math.max(freeMs, refused.firstMs + overtakingMs);
  return countBetween(state.usage, burstStart(state, freeMs - perMs, perMs, nowMs), until, nowMs);
};

/** A window explains a refusal if no earlier one of its length held clearly more. */
const explains = (state: AccountState, refused: Refused, perMs: number, nowMs: number) => {
  const freeMs = refused.freeMs ?? refused.firstMs;
  const accepted = acceptedBefore(state, refused, perMs, nowMs);
  return [1, 2, 3, 4].every((back) => {
    const end = freeMs - back * perMs;
    return countBetween(state.usage, end - perMs, end, nowMs) <= accepted * 1.03 + 2;
  });
};

/** Fewer say nothing: somebody else may have used up the quota. */
const leastAccepted = 5;

/** The quota that a tool must have, of which nothing was known, by what it accepted until it refused. */
export const quotaBehind = (
  state: AccountState,
  refused: Refused,
  nowMs: number,
): { requests: number; perMs: number } | null => {
  const waitMs = (refused.freeMs ?? refused.firstMs) - refused.firstMs;
  const least = refused.freeMs === null ? 60_000 : usualWindow(waitMs);
  const perMs =
    usualWindowsMs.find((windowMs) => windowMs >= least && explains(state, refused, windowMs, nowMs)) ??
    least;
  const requests = acceptedBefore(state, refused, perMs, nowMs);
  return requests < leastAccepted ? null : { requests, perMs };
};

/** The known limit that a refusal speaks of: long enough for the wait, and the fullest of those. */
export const limitBehind = (
  state: AccountState,
  limits: readonly KnownLimit[],
  refused: Refused,
  nowMs: number,
): { limit: KnownLimit; accepted: number } | null => {
  const waitMs = (refused.freeMs ?? refused.firstMs) - refused.firstMs;
  const able = limits
    .filter(({ perMs }) => perMs * 1.05 >= waitMs)
    .map((limit) => ({ limit, accepted: acceptedBefore(state, refused, limit.perMs, nowMs) }))
    .toSorted((a, b) => b.accepted / b.limit.requests - a.accepted / a.limit.requests);
  return able[0] ?? null;
};
