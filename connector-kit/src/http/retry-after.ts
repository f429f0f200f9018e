import type { QuotaHeaders } from "../manifest.ts";
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

export const learnedFrom = (
  status: number,
  headers: Headers,
  quota: QuotaHeaders | undefined,
  now: number,
): Learned => {
  const reset = numberIn(headers, quota?.reset);
  const resetMs =
    reset === null ? null : quota?.resetIs === "unix-seconds" ? reset * 1000 - now : reset * 1000;
  return {
    status,
    retryAfterMs: status === 429 || status === 503 ? retryAfterMs(headers, now) : null,
    remaining: numberIn(headers, quota?.remaining),
    resetMs: resetMs === null ? null : Math.max(0, resetMs),
  };
};
