import { LRUCache } from "lru-cache";

const windowMs = 60_000;
const maxKeys = 10_000;

/** Limits attempts per minute and key, such as an import or `networkOf` an IP address, within one process. */
export interface AttemptLimit {
  /** Counts an attempt; returns the seconds to wait if there were too many in the last minute, otherwise 0. */
  count(key: string): number;
  /** The seconds to wait, without counting. */
  waitSeconds(key: string): number;
}

export const createAttemptLimit = (perMinute: number, now: () => number = Date.now): AttemptLimit => {
  const counts = new LRUCache<string, number>({
    max: maxKeys,
    ttl: windowMs,
    ttlResolution: 0,
    perf: { now },
  });
  const waitSeconds = (key: string) =>
    (counts.get(key) ?? 0) > perMinute ? Math.ceil(counts.getRemainingTTL(key) / 1000) : 0;
  return {
    count: (key) => {
      // The window of a key starts with its first attempt; later ones do not extend it.
      counts.set(key, (counts.get(key) ?? 0) + 1, { noUpdateTTL: true });
      return waitSeconds(key);
    },
    waitSeconds,
  };
};
