const windowMs = 60_000;
const mostAddresses = 10_000;

/** Counts failed sign-ins by IP address. Valid tokens are never delayed: only failures get a 429. */
export interface SignInFailures {
  /** Records a failure; returns the seconds to wait if there were too many in the last minute, otherwise 0. */
  failed(address: string): number;
}

export const createSignInFailures = (perMinute: number, now: () => number = Date.now): SignInFailures => {
  const counts = new Map<string, { since: number; failures: number }>();
  return {
    failed: (address) => {
      const at = now();
      let count = counts.get(address);
      if (!count || at - count.since >= windowMs) {
        counts.delete(address);
        count = { since: at, failures: 0 };
        counts.set(address, count);
        if (counts.size > mostAddresses) counts.delete(counts.keys().next().value as string);
      }
      count.failures++;
      return count.failures > perMinute ? Math.ceil((count.since + windowMs - at) / 1000) : 0;
    },
  };
};
