import type { CountedRequests } from "@portage/connector-kit";
import {
  type AccountState,
  countedOf,
  type KnownLimit,
  limitKey,
  openIn,
  type QuotaReport,
  usageIn,
} from "../state/account-state.ts";
import { feltLimit, usedLately } from "./learn-limits.ts";
import { countedUntil, isCountable } from "../state/make-up.ts";
import { intervalMs } from "../state/pace.ts";
import { countSince } from "../state/usage.ts";
import { usualWindow } from "../state/windows.ts";

/** What rate-limit headers said since the process's last report. */
export interface HeaderNews extends CountedRequests {
  /** The quota's window, if the manifest declares it. */
  readonly perMs?: number;
  /** The longest time until the quota is full again. */
  readonly resetMs: number;
  readonly most: number;
  readonly least: number;
  /** Of the request that started last: what remained, when it arrived, and when the quota is full again. */
  readonly last: { readonly remaining: number; readonly atMs: number; readonly fullMs: number };
}

/** Headers give whole seconds, rounded up. */
const roundingMs = 1_000;
/** The window of most quotas. */
const commonMs = 60_000;
/** How long the end of a window must stay the same to count as fixed. */
const stableMs = 3_000;

/** Requests that started before the limit was known count as if spaced evenly from the first one on. */
const paidUp = (
  state: AccountState,
  { requests, perMs, ...counted }: Pick<KnownLimit, "requests" | "perMs"> & CountedRequests,
  nowMs: number,
) => {
  const usage = usageIn(state, counted);
  const first = usage.find(([from]) => from >= nowMs - perMs)?.[0] ?? nowMs;
  const used = countSince(usage, nowMs - perMs, nowMs);
  const all = used + openIn(state, counted);
  return Math.min(nowMs + perMs, first + all * intervalMs({ requests, perMs }));
};

/** Until the end of a window has been seen, a window that seems short may be the rest of a minute. */
const windowOf = ({ longestMs, hasTurned }: QuotaReport, declaredMs: number | undefined) => {
  if (declaredMs !== undefined) return declaredMs;
  const seems = usualWindow(longestMs - roundingMs);
  return hasTurned ? seems : Math.max(seems, commonMs);
};

/** Moves the limit to another window than the one assumed so far. */
const adopt = (state: AccountState, report: QuotaReport, perMs: number, nowMs: number) => {
  const mistaken = limitKey(report);
  const isShared = Object.values(state.quotas).some(
    (other) => other !== report && limitKey(other) === mistaken,
  );
  if (state.limits[mistaken]?.declared === null && !isShared) delete state.limits[mistaken];
  const counted = countedOf(report);
  const key = limitKey({ perMs, ...counted });
  const known = state.limits[key] ?? { ...feltLimit(report.most + 1, perMs, nowMs), ...counted };
  const requests = Math.max(report.most + 1, known.declared ?? 1);
  // At the end of what may be a short window, one request shows which window it is.
  const latest = report.hasTurned ? Number.POSITIVE_INFINITY : report.edgeMs + 50;
  const paid = Math.min(paidUp(state, { requests, perMs, ...counted }, nowMs), latest);
  const nextAt = known.declared === null ? paid : known.nextAt;
  // Other processes may have unreported starts: for one window, count all requests in it.
  const until = isCountable({ requests, perMs }) ? countedUntil(perMs, nowMs) : known.countedUntil;
  state.limits[key] = { ...known, told: true, requests, nextAt, countedUntil: until };
  Object.assign(report, { perMs, sinceMs: nowMs });
};

const watchEdge = (report: QuotaReport, { last, most }: HeaderNews, nowMs: number) => {
  if (Math.abs(last.fullMs - report.edgeMs) > roundingMs * 1.5) {
    const turns = last.atMs >= report.edgeMs - roundingMs;
    report.hasTurned ||= turns;
    // At the end of a fixed window the whole quota is back; of a sliding one, a little.
    report.isFixed &&= turns && most >= report.most * 0.9;
    report.edgeMs = last.fullMs;
    report.edgeSinceMs = nowMs;
  } else {
    // Each is rounded up from a different fraction of a second: the earliest is the closest.
    report.edgeMs = Math.min(report.edgeMs, last.fullMs);
    report.isFixed ||= nowMs - report.edgeSinceMs >= stableMs;
  }
};

/**
 * What remains of a fixed window must last until its end; other users of the account leave less for us. The header
 * value is some time old: requests that started since then have used part of it.
 */
const makeLast = (
  state: AccountState,
  limit: KnownLimit,
  report: QuotaReport,
  { last }: HeaderNews,
  nowMs: number,
) => {
  const needed = (limit.requests * Math.max(0, report.edgeMs - last.atMs)) / report.perMs;
  const missing = needed - last.remaining;
  if (missing <= limit.requests * 0.02 + 1) return;
  const since = countSince(usageIn(state, limit), last.atMs, nowMs) + openIn(state, limit);
  limit.nextAt = Math.max(limit.nextAt, last.atMs + (missing + since) * intervalMs(limit));
};

/** If all that is allowed was used and some was always left, the quota is larger. */
const growInto = (state: AccountState, limit: KnownLimit, least: number, nowMs: number) => {
  // Two windows, so that one whole window of the tool lies within them wherever it begins.
  const used = usedLately(state, limit, 2 * limit.perMs, nowMs) / 2;
  const seen = used + least;
  if (used >= limit.requests * 0.93 && seen > limit.requests * 1.03 + 2)
    limit.requests += (seen - limit.requests) / 2;
};

const firstReport = ({ perMs, resetMs, most, last, ...counted }: HeaderNews, nowMs: number): QuotaReport => ({
  ...countedOf(counted),
  perMs: 0,
  // Nothing is left to find out about a window that is known.
  hasTurned: perMs !== undefined,
  longestMs: resetMs,
  most,
  least: most,
  sinceMs: nowMs,
  edgeMs: last.fullMs,
  edgeSinceMs: nowMs,
  left: { remaining: last.remaining, atMs: last.atMs },
  isFixed: false,
});

/** Learns the quota from what headers say remains of it. */
export const learnFromHeaders = (
  state: AccountState,
  name: string,
  news: HeaderNews,
  nowMs: number,
): void => {
  const report = (state.quotas[name] ??= firstReport(news, nowMs));
  report.longestMs = Math.max(report.longestMs, news.resetMs);
  const isRecord = news.most > report.most;
  report.most = Math.max(report.most, news.most);
  watchEdge(report, news, nowMs);
  report.left = { remaining: news.last.remaining, atMs: news.last.atMs };
  const perMs = windowOf(report, news.perMs);
  if (perMs !== report.perMs) adopt(state, report, perMs, nowMs);
  const limit = state.limits[limitKey(report)];
  if (!limit) return;
  // The first answers arrive in any order. Later, such a small difference does not undo a refusal's cut.
  if (news.most + 1 > limit.requests * (isRecord ? 1 : 1.01)) limit.requests = news.most + 1;
  if (report.isFixed) makeLast(state, limit, report, news, nowMs);
  report.least = Math.min(report.least, news.least);
  if (state.pausedUntil > report.sinceMs) report.sinceMs = Math.min(nowMs, state.pausedUntil);
  if (nowMs - report.sinceMs < report.perMs) return;
  growInto(state, limit, report.least, nowMs);
  report.sinceMs = nowMs;
  report.least = news.least;
};
