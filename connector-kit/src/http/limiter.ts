import type { RateLimit } from "../manifest.ts";
import { type Call, type QuotaReading, weightIn } from "./quotas.ts";

/** What an answer, or its absence, says about the account's quota. */
export interface Learned {
  /** The request that it is about. Left out: one that only quotas on all requests count. */
  readonly call?: Call;
  /** Null: no answer. */
  readonly status: number | null;
  /** The transport's error code, if there was no answer. */
  readonly failure?: string;
  /** The duration of the request until this point. */
  readonly tookMs?: number;
  /** For a 429 or 503: how long the tool asked us to wait. */
  readonly retryAfterMs: number | null;
  /** For a 429: how long to wait if the tool did not ask for a time, as the dialect says. */
  readonly usualWaitMs?: number;
  /** Those that the answer tells of. */
  readonly quotas: readonly QuotaReading[];
}

/** Shared by all users of one account of a tool: on the server through the database, in a test within the process. */
export interface Limiter {
  /**
   * Waits until a request may start; the client calls `release` after reading the answer. A ConnectorError that it
   * rejects with reaches the connector's caller unchanged.
   */
  take(call: Call, signal: AbortSignal): Promise<{ release(): void }>;
  /** Called before `release`. */
  learn(answer: Learned): void;
}

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });

/** The pause after a 429 without a wait: doubled while the tool refuses again, up to the longest. */
const firstSilentMs = 1_000;
const longestSilentMs = 60_000;

/** Keeps to a quota that counts by cost: no window holds more than it allows. */
const createBudget = ({ requests, perMs }: RateLimit) => {
  let spent: { readonly at: number; readonly cost: number }[] = [];
  return {
    /** The first time from then on at which so much may be spent. */
    next(cost: number, from: number) {
      const now = Date.now();
      spent = spent.filter(({ at }) => at > now - perMs);
      let inWindow = spent.filter(({ at }) => at > from - perMs).toSorted((a, b) => a.at - b.at);
      let at = from;
      while (inWindow.length > 0 && inWindow.reduce((sum, each) => sum + each.cost, cost) > requests) {
        at = (inWindow[0]?.at ?? at) + perMs;
        inWindow = inWindow.slice(1);
      }
      return at;
    },
    spend: (cost: number, at: number) => void spent.push({ at, cost }),
  };
};

/** Keeps to a quota that counts requests: starts are evenly spaced, so that no window sees a burst. */
const createSpacing = ({ requests, perMs }: RateLimit) => {
  let nextAt = 0;
  return {
    next: (_: number, from: number) => Math.max(from, nextAt),
    spend: (_: number, at: number) => {
      nextAt = at + perMs / requests;
    },
  };
};

/** Enforces a manifest's limits within one process. */
export const createLocalLimiter = (limits: readonly RateLimit[], concurrency: number): Limiter => {
  const kept = limits.map((limit) => ({
    limit,
    ...(limit.by === "cost" ? createBudget(limit) : createSpacing(limit)),
  }));
  const empty = new Map<string, QuotaReading & { readonly until: number }>();
  let pausedUntil = 0;
  let silentMs = firstSilentMs;
  let running = 0;
  const waiting: (() => void)[] = [];
  const slotAt = (call: Call) => {
    const now = Date.now();
    const pauses = [...empty.values()].filter((quota) => weightIn(quota, call) > 0);
    let at = Math.max(now, pausedUntil, ...pauses.map(({ until }) => until));
    const counting = kept
      .map((each) => ({ ...each, weight: weightIn(each.limit, call) }))
      .filter(({ weight }) => weight > 0);
    for (let before = Number.NaN; before !== at; ) {
      before = at;
      for (const { next, weight } of counting) at = next(weight, at);
    }
    for (const { spend, weight } of counting) spend(weight, at);
    return at - now;
  };
  /** Waits for a slot; an aborted caller leaves the queue. */
  const place = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.push(go);
      signal.addEventListener("abort", leave, { once: true });
    });
  return {
    async take(call, signal) {
      while (running >= concurrency) await place(signal);
      running += 1;
      let held = true;
      const release = () => {
        if (!held) return;
        held = false;
        running -= 1;
        waiting.shift()?.();
      };
      try {
        const ms = slotAt(call);
        if (ms > 0) await sleep(ms, signal);
      } catch (error) {
        release();
        throw error;
      }
      return { release };
    },
    learn({ status, retryAfterMs, usualWaitMs, quotas }) {
      const now = Date.now();
      for (const quota of quotas)
        if (quota.remaining <= 0) empty.set(quota.name, { ...quota, until: now + quota.resetMs });
        else empty.delete(quota.name);
      if (status !== null && status < 300) silentMs = firstSilentMs;
      const waitMs = retryAfterMs ?? (status === 429 ? usualWaitMs : undefined);
      if (waitMs !== undefined) pausedUntil = Math.max(pausedUntil, now + waitMs);
      // Requests that were refused together are one refusal.
      else if (status === 429 && now >= pausedUntil) {
        pausedUntil = now + silentMs;
        silentMs = Math.min(longestSilentMs, silentMs * 2);
      }
    },
  };
};
