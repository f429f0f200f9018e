import {
  type PaymentProvider,
  PaymentRefused,
  PaymentUnavailable,
  type RefundReport,
} from "../payment-providers/index.ts";
import type { KeepNeeds } from "./keep-payment.ts";
import { keepRefunds } from "./keep-refunds.ts";
import { pollCheckout } from "./poll-checkout.ts";
import { priceCharges } from "./price-charges.ts";
import type { Settle } from "./settle.ts";
import { type DuePoll, takeDuePolls } from "./store-checkouts.ts";
import { type DueRefund, takeDueRefunds } from "./store-refunds.ts";

interface Needs extends KeepNeeds {
  readonly providers: readonly PaymentProvider[];
  readonly settle: Pick<Settle, "paid" | "refunded">;
}

const batchSize = 10;
/** The lease of a poll: after it another process may poll the same checkout. Longer than a poll can take. */
const leaseMs = 3 * 60_000;
/** Attempts of a refund that the provider refuses before it fails and the operator must look at it. */
const maxRefusals = 8;

/**
 * Does what is due: polls open checkouts, expires needless ones, sends refunds and prices charges without a price. All state
 * is in the database, so any process can go on. Returns the number of items.
 */
export const createPollPayments = (needs: Needs) => {
  const { db, log, settle } = needs;
  const byName = new Map(needs.providers.map((provider) => [provider.name, provider]));

  const poll = async (due: DuePoll): Promise<void> => {
    const provider = byName.get(due.provider);
    if (provider) return pollCheckout({ ...needs, provider })(due, due.needless);
    log.error({ checkout: due.id, provider: due.provider }, "checkout's provider is not configured");
  };

  const giveBack = async (provider: PaymentProvider, refund: DueRefund): Promise<void> => {
    const { id, checkoutId, reference, total, currency, attempts } = refund;
    const about = { refund: id, checkout: checkoutId, provider: provider.name, attempt: attempts };
    const keep = (report: RefundReport) =>
      keepRefunds({ log, settle, provider }, { checkoutId, reference, report, isAnswer: true });
    try {
      const report = await provider.refund({ refundId: id, reference, total, currency });
      const { state } = report;
      await keep(report);
      log[state.kind === "failed" ? "error" : "info"]({ ...about, state: state.kind }, "refund answered");
    } catch (error) {
      if (!(error instanceof PaymentUnavailable || error instanceof PaymentRefused)) throw error;
      log.warn({ ...about, code: error.code }, "refund not taken");
      // Retries never end while the provider is unavailable; after repeated refusals the operator must decide.
      if (error instanceof PaymentRefused && attempts >= maxRefusals)
        await keep({ refunded: null, state: { kind: "failed", reference: null } });
    }
  };

  return async (): Promise<number> => {
    const polls = await takeDuePolls(db, batchSize, leaseMs);
    const refunds: (() => Promise<void>)[] = [];
    for (const provider of byName.values())
      for (const refund of await takeDueRefunds(db, batchSize, provider.name))
        refunds.push(() => giveBack(provider, refund));
    // Start them only after all are taken: a rejection while others are being taken would go unhandled.
    const ended = await Promise.allSettled([...polls.map(poll), ...refunds.map((giveOne) => giveOne())]);
    // The item's lease expires by itself; the loop logs the error and waits.
    const broken = ended.find((each) => each.status === "rejected");
    if (broken) throw broken.reason;
    return ended.length + (await priceCharges(db));
  };
};
