import type { Quota } from "./estimate-end.ts";
import type { QuotaOf } from "./progress.ts";

export interface QuotaNeeds {
  /** The account that an import writes to, and how many records of a stream a request carries; null: not connected. */
  readonly destinationOf: (importId: string) => Promise<{
    readonly accountId: string;
    recordsPerRequest(stream: string): number;
  } | null>;
  /** What all runs of an account may send together; null: no known quota. */
  readonly requestsPerMinute: (accountId: string) => Promise<number | null>;
}

interface Known {
  readonly quota: Quota | null;
  readonly askedAt: number;
}

const keptMs = 30_000;
const mostKnown = 5_000;

/** Answers at once from the cache, and refreshes it in the background: an estimate never waits. */
export const createQuotaOf = (
  { destinationOf, requestsPerMinute }: QuotaNeeds,
  now: () => number = () => performance.now(),
): QuotaOf => {
  const known = new Map<string, Known>();
  const ask = async (importId: string): Promise<Quota | null> => {
    const destination = await destinationOf(importId);
    if (!destination) return null;
    const perMinute = await requestsPerMinute(destination.accountId);
    return perMinute === null
      ? null
      : { requestsPerMinute: perMinute, recordsPerRequest: destination.recordsPerRequest };
  };
  const keep = (importId: string, quota: Quota | null) => {
    known.delete(importId);
    known.set(importId, { quota, askedAt: now() });
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  };
  return (importId) => {
    const last = known.get(importId);
    if (!last || now() - last.askedAt > keptMs) {
      keep(importId, last?.quota ?? null);
      // A failure is not reported: without a quota the estimate uses the measured speed.
      ask(importId).then(
        (quota) => keep(importId, quota),
        () => {},
      );
    }
    return last?.quota ?? null;
  };
};
