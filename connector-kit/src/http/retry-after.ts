import type { Manifest } from "../manifest.ts";
import type { Learned } from "./limiter.ts";
import { type Call, emptyForMs, readQuotas } from "./quotas.ts";

type Headers = Readonly<Record<string, string>>;

/** Seconds or a date, as milliseconds from now; null if the header is missing or invalid. */
export const retryAfterMs = (headers: Headers, now: number): number | null => {
  const value = headers["retry-after"]?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};

interface Answered {
  readonly call: Call;
  readonly status: number;
  readonly headers: Headers;
  readonly askedMs: number | undefined;
}

/** What an answer says about the account's quota. `status` and `askedMs` are as the dialect explains them. */
export const learnedFrom = (
  { call, status, headers, askedMs }: Answered,
  { quotaHeaders = [], dialect }: Pick<Manifest, "quotaHeaders" | "dialect">,
  now: number,
): Learned => {
  const quotas = readQuotas(headers, quotaHeaders, now);
  const waitMs = status === 429 || status === 503 ? (askedMs ?? retryAfterMs(headers, now)) : null;
  return {
    call,
    status,
    retryAfterMs: waitMs ?? (status === 429 ? emptyForMs(quotas, call) : null),
    ...(status === 429 && dialect?.waitMs !== undefined ? { usualWaitMs: dialect.waitMs } : {}),
    quotas,
  };
};
