import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createAttemptLimit } from "../platform/attempt-limit.ts";
import { networkOf } from "../platform/client-network.ts";
import { Problem } from "./answer.ts";

/**
 * Limits failed sign-ins per IP address, of IPv6 per /64. An address over its limit is refused before the database is asked, except with a
 * credential that this process has accepted before: a partner or customer at work is not delayed by others behind the
 * same address.
 */
export interface SignInGuard {
  /** Throws if the address has to wait. */
  admit(address: string, credential: string): void;
  accepted(credential: string): void;
  /** Counts a failure, and throws if the address now has to wait. */
  failed(address: string): void;
}

const rememberedMs = 24 * 3_600_000;
const maxRemembered = 20_000;

// Only the digest stays in memory.
const digest = (credential: string) => hash("sha256", credential, "base64");

const tooMany = (seconds: number) =>
  new Problem("rate_limited", "Too many failed sign-ins from this address.", {
    "retry-after": String(seconds),
  });

interface SignInGuardOptions {
  /** The answer to an address that has to wait. */
  readonly refusal?: (seconds: number) => Problem;
  readonly now?: () => number;
}

export const createSignInGuard = (
  failuresPerMinute: number,
  { refusal = tooMany, now = Date.now }: SignInGuardOptions = {},
): SignInGuard => {
  const failures = createAttemptLimit(failuresPerMinute, now);
  const known = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedMs, perf: { now } });
  const refuseFor = (seconds: number) => {
    if (seconds > 0) throw refusal(seconds);
  };
  return {
    admit: (address, credential) => {
      const seconds = failures.waitSeconds(networkOf(address));
      if (seconds > 0 && !known.has(digest(credential))) refuseFor(seconds);
    },
    accepted: (credential) => void known.set(digest(credential), true),
    failed: (address) => refuseFor(failures.count(networkOf(address))),
  };
};
