import { createQuotaCounter, type QuotaCounter, type Spent } from "../../tools/stand-in/quota.ts";
import type { VendorClock } from "./clock.ts";

/** A limit on a class of calls, in the vendor's own headers. */
export interface QuotaClass {
  readonly name: string;
  readonly requests: number;
  readonly perMs: number;
  readonly window?: "fixed" | "sliding";
  /** Which calls spend it. */
  applies(operation: string): boolean;
  /** How much a call spends; default: 1. */
  cost?(query: Readonly<Record<string, unknown>>): number;
  /** What every answer tells of it. */
  headers?(left: {
    readonly total: number;
    readonly remaining: number;
    readonly resetMs: number;
  }): Record<string, string>;
}

export interface Passed {
  readonly kind: "passed";
  readonly headers: Record<string, string>;
}

export interface Limited {
  readonly kind: "limited";
  readonly class: string;
  readonly retryMs: number;
  readonly headers: Record<string, string>;
  /** The caller did not wait although an answer asked it to. */
  readonly impatient: boolean;
}

/** Requests that were under way when the refusal was sent arrive after it; a caller that did not listen still comes later. */
const underWayMs = 1_000;

const spend = (counter: QuotaCounter | undefined, now: number, cost: number): Spent | undefined => {
  const spent = counter?.spend(now);
  return cost <= 1 || spent?.kind !== "taken" ? spent : spend(counter, now, cost - 1);
};

export const createQuotaGate = (classes: readonly QuotaClass[], clock: VendorClock) => {
  const counters = new Map<string, QuotaCounter>(
    classes.map(({ name, requests, perMs, window = "sliding" }) => [
      name,
      createQuotaCounter({ requests, perMs, window }),
    ]),
  );
  const refusedAt = new Map<string, { readonly from: number; readonly until: number }>();
  return (operation: string, query: Readonly<Record<string, unknown>> = {}): Passed | Limited => {
    const now = clock.now();
    const headers: Record<string, string> = {};
    for (const each of classes) {
      if (!each.applies(operation)) continue;
      const spent = spend(counters.get(each.name), now, each.cost?.(query) ?? 1);
      if (!spent) continue;
      const taken = spent.kind === "taken";
      const resetMs = taken ? spent.resetMs : spent.retryMs;
      Object.assign(
        headers,
        each.headers?.({ total: each.requests, remaining: taken ? spent.remaining : 0, resetMs }),
      );
      if (spent.kind === "taken") continue;
      const known = refusedAt.get(each.name);
      const refused = known && known.until > now ? known : { from: now, until: now + spent.retryMs };
      refusedAt.set(each.name, refused);
      const impatient = now - refused.from > underWayMs;
      return { kind: "limited", class: each.name, retryMs: spent.retryMs, headers, impatient };
    }
    return { kind: "passed", headers };
  };
};
