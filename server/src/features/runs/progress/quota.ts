import { LRUCache } from "lru-cache";
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

const ttlMs = 30_000;
const maxKnown = 5_000;

/** Answers at once from the cache, and refreshes it in the background: an estimate never waits. */
export const createQuotaOf = (
  { destinationOf, requestsPerMinute }: QuotaNeeds,
  now: () => number = () => performance.now(),
): QuotaOf => {
  const known = new LRUCache<string, { readonly quota: Quota | null }>({
    max: maxKnown,
    ttl: ttlMs,
    ttlResolution: 0,
    allowStale: true,
    perf: { now },
  });
  const ask = async (importId: string): Promise<Quota | null> => {
    const destination = await destinationOf(importId);
    if (!destination) return null;
    const perMinute = await requestsPerMinute(destination.accountId);
    return perMinute === null
      ? null
      : { requestsPerMinute: perMinute, recordsPerRequest: destination.recordsPerRequest };
  };
  return (importId) => {
    const isFresh = known.has(importId);
    const { quota } = known.get(importId) ?? { quota: null };
    if (!isFresh) {
      // Starts a new TTL, so that no other request asks meanwhile.
      known.set(importId, { quota });
      // A failure is not reported: without a quota the estimate uses the measured speed.
      ask(importId).then(
        (answer) => known.set(importId, { quota: answer }),
        () => {},
      );
    }
    return quota;
  };
};
