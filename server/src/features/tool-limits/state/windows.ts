import { type AccountState, type KnownLimit, type RefusalBurst, usageIn } from "./account-state.ts";
import { countBetween, type Usage } from "./usage.ts";

/** The windows that tools use; an inexact one is rounded to one of these. */
const usualWindowsMs = [1_000, 10_000, 60_000, 300_000, 900_000, 3_600_000, 86_400_000];

/** The smallest usual window no shorter than the seen time; slightly longer is the tool's rounding. */
export const usualWindow = (seenMs: number): number =>
  usualWindowsMs.find((windowMs) => windowMs * 1.05 >= seenMs) ?? Math.ceil(seenMs);

/** How far apart requests that overtake each other see the same moment. */
const overtakingMs = 250;

/** The first requests after a rest take longer to arrive: those that started just before the window belong to it. */
const burstStart = (usage: Usage, fromMs: number, perMs: number, nowMs: number) => {
  const slackMs = Math.min(1_000, perMs / 10);
  const wasAtRest = countBetween(usage, fromMs - 5 * slackMs, fromMs - slackMs, nowMs) === 0;
  return wasAtRest ? fromMs - slackMs : fromMs;
};

/**
 * What the tool accepted in the window that ended with a refusal. It ends when the quota is free again, for a fixed
 * window (its edge) and for a sliding one (its oldest request leaves): so one count serves both. Nothing comes back
 * before that, so delayed requests that arrived after a refusal count too.
 */
const acceptedBefore = (usage: Usage, refused: RefusalBurst, perMs: number, nowMs: number): number => {
  const freeMs = refused.freeMs ?? refused.firstMs;
  const until = Math.max(freeMs, refused.firstMs + overtakingMs);
  return countBetween(usage, burstStart(usage, freeMs - perMs, perMs, nowMs), until, nowMs);
};

/** A window explains a refusal if no earlier window of its length held clearly more. */
const explains = (usage: Usage, refused: RefusalBurst, perMs: number, nowMs: number) => {
  const freeMs = refused.freeMs ?? refused.firstMs;
  const accepted = acceptedBefore(usage, refused, perMs, nowMs);
  return [1, 2, 3, 4].every((back) => {
    const end = freeMs - back * perMs;
    return countBetween(usage, end - perMs, end, nowMs) <= accepted * 1.03 + 2;
  });
};

/** Fewer prove nothing: another user of the account may have used up the quota. */
const leastAccepted = 5;

/** Infers a so far unknown quota from what the tool accepted until it refused. */
export const quotaBehind = (
  state: AccountState,
  refused: RefusalBurst,
  nowMs: number,
): { requests: number; perMs: number } | null => {
  const waitMs = (refused.freeMs ?? refused.firstMs) - refused.firstMs;
  const least = refused.freeMs === null ? 60_000 : usualWindow(waitMs);
  const perMs =
    usualWindowsMs.find((windowMs) => windowMs >= least && explains(state.usage, refused, windowMs, nowMs)) ??
    least;
  const requests = acceptedBefore(state.usage, refused, perMs, nowMs);
  return requests < leastAccepted ? null : { requests, perMs };
};

/** The known limit behind a refusal: long enough for the wait, and the fullest of those. */
export const limitBehind = (
  state: AccountState,
  limits: readonly KnownLimit[],
  refused: RefusalBurst,
  nowMs: number,
): { limit: KnownLimit; accepted: number } | null => {
  const waitMs = (refused.freeMs ?? refused.firstMs) - refused.firstMs;
  const able = limits
    .filter(({ perMs }) => perMs * 1.05 >= waitMs)
    .map((limit) => ({
      limit,
      accepted: acceptedBefore(usageIn(state, limit), refused, limit.perMs, nowMs),
    }))
    .toSorted((a, b) => b.accepted / b.limit.requests - a.accepted / a.limit.requests);
  return able[0] ?? null;
};
