const windowMs = 60_000;
const mostAddresses = 10_000;

/** Counts failed sign-ins by address. Right tokens are never held up: only failures are answered with "slow down". */
export interface SignInFailures {
  /** Remembers a failure; seconds to wait when there were too many in the last minute, else 0. */
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
