import { type PaymentProvider, PaymentRefused, PaymentUnavailable } from "../payment-providers/index.ts";
import type { Checkout } from "./checkout.ts";
import { type KeepNeeds, keepPayment } from "./keep-payment.ts";
import { giveUpOpening, schedulePoll } from "./store-polls.ts";

interface Needs extends KeepNeeds {
  readonly provider: Pick<PaymentProvider, "name" | "find" | "expire">;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Longer than a request that opens a checkout can take. */
const openingMs = 5 * minuteMs;
/** A checkout that the provider does not know this long after its expiry counts as expired. */
const forgottenMs = 24 * hourMs;

const since = (at: Date) => Date.now() - at.getTime();

/** Polls often while the customer may be on the payment page, and less often later. */
const pauseMs = ({ createdAt }: Checkout, needless: boolean) =>
  needless ? minuteMs : Math.min(Math.max(since(createdAt) / 4, minuteMs), 30 * minuteMs);

/**
 * Polls the provider for a checkout's state and settles it. A `needless` checkout is expired at the provider unless it
 * is paid. If the provider is unavailable, this schedules another poll instead of throwing.
 */
export const pollCheckout =
  ({ provider, ...needs }: Needs) =>
  async (checkout: Checkout, needless = false): Promise<void> => {
    const { db, log } = needs;
    const { id, reference, state: before } = checkout;
    const about = { checkout: id, import: checkout.importId, provider: checkout.provider };
    if (checkout.provider !== provider.name || (before !== "opening" && before !== "open")) return;
    if (reference === null) {
      // The customer never got a payment page. A request that is about to open one finds it expired and starts anew.
      if (since(checkout.createdAt) < openingMs) return schedulePoll(db, id, minuteMs);
      if (await giveUpOpening(db, id)) log.warn(about, "checkout never opened");
      return;
    }
    try {
      const state = await (needless ? provider.expire(reference) : provider.find(reference));
      const settled = await keepPayment(needs, { checkout, reference, state });
      if (state.kind === "open") await schedulePoll(db, id, pauseMs(checkout, needless));
      else if (settled.kind === "not_paid") await schedulePoll(db, id, hourMs);
      else log.info({ ...about, state: state.kind }, "checkout ended");
    } catch (error) {
      if (error instanceof PaymentUnavailable) {
        log.warn({ ...about, code: error.code }, "checkout poll failed");
        return schedulePoll(db, id, pauseMs(checkout, needless));
      }
      if (!(error instanceof PaymentRefused)) throw error;
      log.error({ ...about, code: error.code }, "checkout unknown to its provider");
      if (checkout.expiresAt === null || since(checkout.expiresAt) < forgottenMs)
        return schedulePoll(db, id, hourMs);
      await keepPayment(needs, { checkout, reference, state: { kind: "expired" } });
    }
  };
