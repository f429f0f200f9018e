import { LRUCache } from "lru-cache";

const windowMs = 60_000;
const maxAddresses = 10_000;

/** Counts failed sign-ins by IP address. Valid tokens are never delayed: only failures get a 429. */
export interface SignInFailures {
  /** Records a failure; returns the seconds to wait if there were too many in the last minute, otherwise 0. */
  failed(address: string): number;
}

export const createSignInFailures = (perMinute: number, now: () => number = Date.now): SignInFailures => {
  const counts = new LRUCache<string, number>({
    max: maxAddresses,
    ttl: windowMs,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    failed: (address) => {
      const failures = (counts.get(address) ?? 0) + 1;
      // The window of an address starts with its first failure; later ones do not extend it.
      counts.set(address, failures, { noUpdateTTL: true });
      return failures > perMinute ? Math.ceil(counts.getRemainingTTL(address) / 1000) : 0;
    },
  };
};
