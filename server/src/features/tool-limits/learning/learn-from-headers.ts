import { type AccountState, keyOf, type KnownLimit, type Told } from "../state/account-state.ts";
import { feltLimit, usedLately } from "./learn-limits.ts";
import { countedUntil, isCountable } from "../state/make-up.ts";
import { intervalMs } from "../state/pace.ts";
import { countSince } from "../state/usage.ts";
import { usualWindow } from "../state/windows.ts";

/** What headers said since the process was last heard of. */
export interface HeaderNews {
  /** The longest until the quota is full again. */
  readonly resetMs: number;
  readonly most: number;
  readonly least: number;
  /** Of the request that started last: what was left, when it arrived, and when the quota is full again. */
  readonly last: { readonly remaining: number; readonly atMs: number; readonly fullMs: number };
}

/** Headers tell whole seconds, rounded up. */
const roundingMs = 1_000;
/** What most quotas are of. */
const commonMs = 60_000;
/** So long the end of a window must stay where it is to be believed. */
const stableMs = 3_000;

const openOf = ({ members }: AccountState) =>
  Object.values(members).reduce((sum, member) => sum + member.open, 0);

/** Requests that started before the limit was known count as if they had been spaced from the first of them on. */
const paidUp = (state: AccountState, requests: number, perMs: number, nowMs: number) => {
  const { usage } = state;
  const first = usage.find(([from]) => from >= nowMs - perMs)?.[0] ?? nowMs;
  const used = countSince(usage, nowMs - perMs, nowMs);
  return Math.min(nowMs + perMs, first + (used + openOf(state)) * intervalMs({ requests, perMs }));
};

/** Until the end of a window has been seen, one that seems short may be the rest of a minute. */
const windowOf = ({ longestMs, hasTurned }: Told) => {
  const seems = usualWindow(longestMs - roundingMs);
  return hasTurned ? seems : Math.max(seems, commonMs);
};

/** The quota is of another window than it seemed. */
const adopt = (state: AccountState, told: Told, perMs: number, nowMs: number) => {
  const mistaken = keyOf(told);
  if (state.limits[mistaken]?.declared === null) delete state.limits[mistaken];
  const key = keyOf({ perMs });
  const known = state.limits[key] ?? feltLimit(told.most + 1, perMs, nowMs);
  const requests = Math.max(told.most + 1, known.declared ?? 1);
  // At the end of what may be a short window, one request tells what it is.
  const latest = told.hasTurned ? Number.POSITIVE_INFINITY : told.edgeMs + 50;
  const paid = Math.min(paidUp(state, requests, perMs, nowMs), latest);
  const nextAt = known.declared === null ? paid : known.nextAt;
  // Others may have started more than they have told of yet: for one window all that it holds is counted.
  const until = isCountable({ requests, perMs }) ? countedUntil(perMs, nowMs) : known.countedUntil;
  state.limits[key] = { ...known, told: true, requests, nextAt, countedUntil: until };
  Object.assign(told, { perMs, sinceMs: nowMs });
};

const watchEdge = (told: Told, { last, most }: HeaderNews, nowMs: number) => {
  if (Math.abs(last.fullMs - told.edgeMs) > roundingMs * 1.5) {
    const turns = last.atMs >= told.edgeMs - roundingMs;
    told.hasTurned ||= turns;
    // At the end of a fixed window all of it is back; of a sliding one, a little.
    told.isFixed &&= turns && most >= told.most * 0.9;
    told.edgeMs = last.fullMs;
    told.edgeSinceMs = nowMs;
  } else {
    // Each is rounded up by another part of a second: the earliest is the closest.
    told.edgeMs = Math.min(told.edgeMs, last.fullMs);
    told.isFixed ||= nowMs - told.edgeSinceMs >= stableMs;
  }
};

/**
 * Of a fixed window, what is left must last until its end: where somebody else uses it too, there is less for us. What is
 * left was told some time ago: what started since then is used too.
 */
const makeLast = (
  state: AccountState,
  limit: KnownLimit,
  told: Told,
  { last }: HeaderNews,
  nowMs: number,
) => {
  const needed = (limit.requests * Math.max(0, told.edgeMs - last.atMs)) / told.perMs;
  const missing = needed - last.remaining;
  if (missing <= limit.requests * 0.02 + 1) return;
  const since = countSince(state.usage, last.atMs, nowMs) + openOf(state);
  limit.nextAt = Math.max(limit.nextAt, last.atMs + (missing + since) * intervalMs(limit));
};

/** All that is allowed was used, and some was left all the time: the quota is larger. */
const growInto = (state: AccountState, limit: KnownLimit, least: number, nowMs: number) => {
  // Two windows: wherever one of the tool's ended meanwhile, it was used from its beginning.
  const used = usedLately(state, 2 * limit.perMs, nowMs) / 2;
  const seen = used + least;
  if (used >= limit.requests * 0.93 && seen > limit.requests * 1.03 + 2)
    limit.requests += (seen - limit.requests) / 2;
};

const firstTold = ({ resetMs, most, last }: HeaderNews, nowMs: number): Told => ({
  perMs: 0,
  hasTurned: false,
  longestMs: resetMs,
  most,
  least: most,
  sinceMs: nowMs,
  edgeMs: last.fullMs,
  edgeSinceMs: nowMs,
  left: { remaining: last.remaining, atMs: last.atMs },
  isFixed: false,
});

/** Learns the quota from what headers say is left of it. */
export const learnFromHeaders = (state: AccountState, news: HeaderNews, nowMs: number): void => {
  const told = (state.told ??= firstTold(news, nowMs));
  told.longestMs = Math.max(told.longestMs, news.resetMs);
  const isRecord = news.most > told.most;
  told.most = Math.max(told.most, news.most);
  watchEdge(told, news, nowMs);
  told.left = { remaining: news.last.remaining, atMs: news.last.atMs };
  const perMs = windowOf(told);
  if (perMs !== told.perMs) adopt(state, told, perMs, nowMs);
  const limit = state.limits[keyOf(told)];
  if (!limit) return;
  // The first answers come in any order. Later, what a refusal took off is not put back for as little as that.
  if (news.most + 1 > limit.requests * (isRecord ? 1 : 1.01)) limit.requests = news.most + 1;
  if (told.isFixed) makeLast(state, limit, told, news, nowMs);
  told.least = Math.min(told.least, news.least);
  if (state.pausedUntil > told.sinceMs) told.sinceMs = Math.min(nowMs, state.pausedUntil);
  if (nowMs - told.sinceMs < told.perMs) return;
  growInto(state, limit, told.least, nowMs);
  told.sinceMs = nowMs;
  told.least = news.least;
};
