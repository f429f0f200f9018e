import type { Manifest } from "../manifest.ts";
import type { Learned } from "./limiter.ts";

type Headers = Readonly<Record<string, string>>;

/** Seconds or a date, as milliseconds from now; null if the header is missing or invalid. */
export const retryAfterMs = (headers: Headers, now: number): number | null => {
  const value = headers["retry-after"]?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};

const numberIn = (headers: Headers, name: string | undefined): number | null => {
  const value = name === undefined ? Number.NaN : Number.parseFloat(headers[name.toLowerCase()] ?? "");
  return Number.isFinite(value) ? value : null;
};

/** What an answer says about the account's quota. `status` and `askedMs` are as the dialect explains them. */
export const learnedFrom = (
  { status, headers, askedMs }: { status: number; headers: Headers; askedMs: number | undefined },
  { quotaHeaders: quota, dialect }: Pick<Manifest, "quotaHeaders" | "dialect">,
  now: number,
): Learned => {
  const remaining = numberIn(headers, quota?.remaining);
  const reset = numberIn(headers, quota?.reset);
  const resetMs =
    reset === null
      ? null
      : Math.max(0, quota?.resetIs === "unix-seconds" ? reset * 1000 - now : reset * 1000);
  const waitMs = status === 429 || status === 503 ? (askedMs ?? retryAfterMs(headers, now)) : null;
  const untilReset = status === 429 && remaining === 0 ? resetMs : null;
  return {
    status,
    retryAfterMs: waitMs ?? untilReset,
    ...(status === 429 && dialect?.waitMs !== undefined ? { usualWaitMs: dialect.waitMs } : {}),
    remaining,
    resetMs,
  };
};
