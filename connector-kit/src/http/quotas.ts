import type { CountedRequests, HeaderValue, QuotaHeaders } from "../manifest.ts";

/** A request as quotas count it. */
export interface Call {
  readonly kind: "read" | "write";
  readonly class?: string | undefined;
  readonly cost?: number | undefined;
}

/** As how much a quota counts a request; 0: not at all. */
export const weightIn = (quota: CountedRequests, { kind, class: name, cost = 1 }: Call): number => {
  if (quota.only !== undefined && quota.only !== kind) return 0;
  if (quota.class !== undefined && quota.class !== name) return 0;
  return quota.by === "cost" ? cost : 1;
};

type Headers = Readonly<Record<string, string>>;

/** What one answer says about one of the account's quotas. */
export interface QuotaReading extends CountedRequests {
  /** The same for all answers that tell of this quota. */
  readonly name: string;
  readonly remaining: number;
  /** When the quota is full again, from now. */
  readonly resetMs: number;
  /** The quota's window, if it is known. */
  readonly perMs?: number;
}

const textIn = (headers: Headers, value: HeaderValue): string => {
  if (typeof value === "string") return headers[value.toLowerCase()] ?? "";
  const parts = (headers[value.header.toLowerCase()] ?? "").split(/[;,]/).map((part) => part.split("="));
  return parts.find(([name]) => name?.trim() === value.part)?.[1] ?? "";
};

const resetIn: Readonly<Record<NonNullable<QuotaHeaders["resetIs"]>, (text: string, now: number) => number>> =
  {
    "seconds-left": (text) => Number.parseFloat(text) * 1000,
    "unix-seconds": (text, now) => Number.parseFloat(text) * 1000 - now,
    "unix-milliseconds": (text, now) => Number.parseFloat(text) - now,
    "iso-date": (text, now) => Date.parse(text) - now,
  };

/** The quotas that an answer tells of; it may leave out some. */
export const readQuotas = (
  headers: Headers,
  quotas: readonly QuotaHeaders[],
  now: number,
): readonly QuotaReading[] =>
  quotas.flatMap(({ remaining: where, reset, resetIs = "seconds-left", ...quota }) => {
    const remaining = Number.parseFloat(textIn(headers, where));
    const resetMs =
      reset === undefined ? (quota.perMs ?? Number.NaN) : resetIn[resetIs](textIn(headers, reset), now);
    const name = typeof where === "string" ? where : where.header;
    return Number.isFinite(remaining) && Number.isFinite(resetMs)
      ? [{ ...quota, name: name.toLowerCase(), remaining, resetMs: Math.max(0, resetMs) }]
      : [];
  });

/** How long until no quota that counts the request is empty; null if none is. */
export const emptyForMs = (quotas: readonly QuotaReading[], call: Call): number | null => {
  const empty = quotas.filter((quota) => quota.remaining <= 0 && weightIn(quota, call) > 0);
  return empty.length === 0 ? null : Math.max(...empty.map(({ resetMs }) => resetMs));
};
