import type { Quota } from "./options.ts";

export type Spent =
  | { readonly kind: "taken"; readonly remaining: number; readonly resetMs: number }
  | { readonly kind: "refused"; readonly retryMs: number };

export interface QuotaCounter {
  spend(now: number): Spent;
}

const fixedWindow = ({ requests, perMs }: Quota): QuotaCounter => {
  let window = -1;
  let used = 0;
  return {
    spend(now) {
      const current = Math.floor(now / perMs);
      if (current !== window) {
        window = current;
        used = 0;
      }
      const resetMs = (current + 1) * perMs - now;
      if (used >= requests) return { kind: "refused", retryMs: resetMs };
      used += 1;
      return { kind: "taken", remaining: requests - used, resetMs };
    },
  };
};

/** A ring buffer of the last requests: the cost per request does not grow with their number. */
const slidingWindow = ({ requests, perMs }: Quota): QuotaCounter => {
  const moments = new Float64Array(requests);
  let oldest = 0;
  let used = 0;
  return {
    spend(now) {
      while (used > 0 && (moments[oldest] ?? 0) <= now - perMs) {
        oldest = (oldest + 1) % requests;
        used -= 1;
      }
      const resetMs = used === 0 ? perMs : (moments[oldest] ?? 0) + perMs - now;
      if (used >= requests) return { kind: "refused", retryMs: resetMs };
      moments[(oldest + used) % requests] = now;
      used += 1;
      return { kind: "taken", remaining: requests - used, resetMs };
    },
  };
};

export const createQuotaCounter = (quota: Quota): QuotaCounter =>
  quota.window === "fixed" ? fixedWindow(quota) : slidingWindow(quota);
