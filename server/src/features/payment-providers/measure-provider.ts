import type { Metrics } from "../../platform/metrics/index.ts";
import { type PaymentProvider, PaymentRefused } from "./provider.ts";

/** Counts what the provider answers. An order that it refuses is an answer too. */
export const measureProvider = (
  provider: PaymentProvider,
  metrics: Pick<Metrics, "count">,
): PaymentProvider => {
  const count = (outcome: "ok" | "refused" | "unavailable", by = 1) =>
    metrics.count("portage_payment_requests_total", { provider: provider.name, outcome }, by);
  // From 0, or Prometheus would not see the first ones as an increase.
  for (const outcome of ["ok", "refused", "unavailable"] as const) count(outcome, 0);
  const counted =
    <A extends readonly unknown[], R>(ask: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      try {
        const answered = await ask(...given);
        count("ok");
        return answered;
      } catch (error) {
        count(error instanceof PaymentRefused ? "refused" : "unavailable");
        throw error;
      }
    };
  return {
    name: provider.name,
    open: counted((order) => provider.open(order)),
    find: counted((reference) => provider.find(reference)),
    expire: counted((reference) => provider.expire(reference)),
    refund: counted((order) => provider.refund(order)),
    findRefunds: counted((reference) => provider.findRefunds(reference)),
    readNotice: (rawBody, headers) => provider.readNotice(rawBody, headers),
  };
};
