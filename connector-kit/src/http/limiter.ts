import type { RateLimit } from "../manifest.ts";
import { emptyForMs, type QuotaReading } from "./quotas.ts";

/** What an answer, or its absence, says about the account's quota. */
export interface Learned {
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
  take(kind: "read" | "write", signal: AbortSignal): Promise<{ release(): void }>;
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

/** Enforces a manifest's limits within one process. It spaces starts evenly, so that no window sees a burst. */
export const createLocalLimiter = (limits: readonly RateLimit[], concurrency: number): Limiter => {
  const nextAt = new Map<RateLimit, number>();
  let pausedUntil = 0;
  let silentMs = firstSilentMs;
  let running = 0;
  const waiting: (() => void)[] = [];
  const slotAt = (kind: "read" | "write") => {
    const now = Date.now();
    let at = Math.max(now, pausedUntil);
    const counting = limits.filter(({ only }) => only === undefined || only === kind);
    for (const limit of counting) at = Math.max(at, nextAt.get(limit) ?? 0);
    for (const limit of counting) nextAt.set(limit, at + limit.perMs / limit.requests);
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
    async take(kind, signal) {
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
        const ms = slotAt(kind);
        if (ms > 0) await sleep(ms, signal);
      } catch (error) {
        release();
        throw error;
      }
      return { release };
    },
    learn({ status, retryAfterMs, usualWaitMs, quotas }) {
      const now = Date.now();
      const known = retryAfterMs ?? emptyForMs(quotas);
      const isSilent = status === 429 && known === null && usualWaitMs === undefined;
      const pause = known ?? (status === 429 ? (usualWaitMs ?? silentMs) : null);
      // Requests that were refused together are one refusal.
      if (isSilent && now >= pausedUntil) silentMs = Math.min(longestSilentMs, silentMs * 2);
      else if (status !== null && status < 300) silentMs = firstSilentMs;
      if (pause !== null && !(isSilent && now < pausedUntil)) pausedUntil = Math.max(pausedUntil, now + pause);
    },
  };
};
