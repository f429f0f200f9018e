import type { Learned } from "@portage/connector-kit/http";
import type { ProcessReport } from "./advance.ts";
import type { HeaderNews } from "../learning/learn-from-headers.ts";
import { freeAt, mergedPause, type RefusalNews } from "../learning/refusals.ts";
import type { Lane } from "../state/lanes.ts";
import { bucketOf, type Usage } from "../state/usage.ts";

/** What one process learned from answers about an account, until it reports that to the others. */
export type ProcessObservations = Pick<
  ProcessReport,
  "used" | "usedBy" | "refused" | "headers" | "pauseUntil" | "latencyMs"
>;

const mergedRefusals = (a: RefusalNews | null, b: RefusalNews | null, nowMs: number): RefusalNews | null => {
  if (!a || !b) return a ?? b;
  return {
    firstMs: Math.min(a.firstMs, b.firstMs),
    lastMs: Math.max(a.lastMs, b.lastMs),
    freeMs: a.freeMs === null || b.freeMs === null ? (a.freeMs ?? b.freeMs) : Math.max(a.freeMs, b.freeMs),
    until: a.until === null || b.until === null ? (a.until ?? b.until) : mergedPause(a.until, b.until, nowMs),
  };
};

const mergedHeaders = (a: HeaderNews | undefined, b: HeaderNews): HeaderNews =>
  a === undefined
    ? b
    : {
        ...b,
        resetMs: Math.max(a.resetMs, b.resetMs),
        most: Math.max(a.most, b.most),
        least: Math.min(a.least, b.least),
        last: a.last.atMs > b.last.atMs ? a.last : b.last,
      };

const mergedQuotas = (
  a: ProcessObservations["headers"],
  b: ProcessObservations["headers"],
): Record<string, HeaderNews> => {
  const merged = { ...a };
  for (const [name, news] of Object.entries(b)) merged[name] = mergedHeaders(merged[name], news);
  return merged;
};

/** Collects what answers say; all times are in the database's clock. */
export const createFindings = () => {
  let used = new Map<number, number>();
  let usedBy = new Map<Lane, Map<number, number>>();
  let refused: RefusalNews | null = null;
  let headers: Record<string, HeaderNews> = {};
  let pauseUntil = 0;
  let latencyMs: number | null = null;
  const add = (counts: Map<number, number>, [bucket, more]: Usage[number]) =>
    void counts.set(bucket, (counts.get(bucket) ?? 0) + more);
  const addTo = (lane: Lane, use: Usage[number]) => {
    const counts = usedBy.get(lane) ?? new Map<number, number>();
    usedBy.set(lane, counts);
    add(counts, use);
  };
  return {
    note({ status, retryAfterMs, usualWaitMs, quotas }: Learned, lane: Lane, startMs: number, nowMs: number) {
      latencyMs = Math.max(latencyMs ?? 0, nowMs - startMs);
      const waitMs = retryAfterMs ?? usualWaitMs ?? null;
      if (status === 429)
        refused = mergedRefusals(
          refused,
          {
            firstMs: startMs,
            lastMs: startMs,
            freeMs: retryAfterMs === null ? null : freeAt(startMs, retryAfterMs),
            until: waitMs === null ? null : nowMs + waitMs,
          },
          nowMs,
        );
      else {
        add(used, [bucketOf(startMs), 1]);
        if (lane !== "any") addTo(lane, [bucketOf(startMs), 1]);
        if (retryAfterMs !== null) pauseUntil = Math.max(pauseUntil, nowMs + retryAfterMs);
      }
      for (const { name, remaining, resetMs, ...quota } of quotas)
        headers[name] = mergedHeaders(headers[name], {
          ...quota,
          resetMs,
          most: remaining,
          least: remaining,
          last: { remaining, atMs: startMs, fullMs: startMs + resetMs },
        });
    },
    /** How long requests of this process must wait already, before the others know. */
    pausedUntil: () => Math.max(pauseUntil, refused?.until ?? 0),
    /** Whether to report at once: a refusal, a pause, or a quota that no process knew of. */
    isUrgent: (isLimited: boolean) =>
      refused !== null || pauseUntil > 0 || (!isLimited && Object.keys(headers).length > 0),
    take(): ProcessObservations {
      const byLane = Object.fromEntries([...usedBy].map(([lane, counts]) => [lane, [...counts]]));
      const observations = { used: [...used], usedBy: byLane, refused, headers, pauseUntil, latencyMs };
      used = new Map();
      usedBy = new Map();
      refused = null;
      headers = {};
      pauseUntil = 0;
      latencyMs = null;
      return observations;
    },
    /** The report was lost: keep it for the next one. */
    putBack(observations: ProcessObservations, nowMs: number) {
      for (const use of observations.used) add(used, use);
      for (const [lane, uses] of Object.entries(observations.usedBy))
        for (const use of uses) addTo(lane, use);
      refused = mergedRefusals(observations.refused, refused, nowMs);
      headers = mergedQuotas(observations.headers, headers);
      pauseUntil = Math.max(pauseUntil, observations.pauseUntil);
    },
  };
};
