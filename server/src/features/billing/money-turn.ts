import {
  type PaymentProvider,
  PaymentRefused,
  PaymentUnavailable,
  type RefundState,
} from "../checkout/index.ts";
import type { KeepNeeds } from "./keep-payment.ts";
import { lookAtCheckout } from "./look-at-checkout.ts";
import { priceCharges } from "./price-charges.ts";
import type { Settle } from "./settle.ts";
import { type DueLook, takeDueLooks } from "./store-checkouts.ts";
import { type DueRefund, takeDueRefunds } from "./store-refunds.ts";

interface Needs extends KeepNeeds {
  readonly providers: readonly PaymentProvider[];
  readonly settle: Pick<Settle, "paid" | "refunded">;
}

const atOnce = 10;
/** After so long, what was being asked is taken for lost. Longer than asking can take. */
const leaseMs = 3 * 60_000;
/** So often a refund that the provider says no to is tried before somebody has to look at it. */
const mostRefusals = 8;

/**
 * One turn of all that money waits for: what became of open checkouts, those that nobody is to pay any more, refunds that
 * are owed, charges without a price. All that it knows is in the database, so any process can take the next. Answers how
 * much there was to do.
 */
export const createMoneyTurn = (needs: Needs) => {
  const { db, log, settle } = needs;
  const byName = new Map(needs.providers.map((provider) => [provider.name, provider]));

  const look = async (due: DueLook): Promise<void> => {
    const provider = byName.get(due.provider);
    if (provider) return lookAtCheckout({ ...needs, provider })(due, due.needless);
    log.error({ checkout: due.id, provider: due.provider }, "checkout of a provider that is not set up");
  };

  const giveBack = async (provider: PaymentProvider, refund: DueRefund): Promise<void> => {
    const { id, checkoutId, reference, amount, currency, attempts } = refund;
    const about = { refund: id, checkout: checkoutId, provider: provider.name, attempt: attempts };
    const keep = (state: RefundState) =>
      settle.refunded({
        checkout: { checkoutId },
        refunded: null,
        state,
        actor: { kind: "provider", provider: provider.name },
      });
    try {
      const state = await provider.refund({ refundId: id, reference, amount, currency });
      await keep(state);
      log[state.kind === "failed" ? "error" : "info"]({ ...about, state: state.kind }, "refund answered");
    } catch (error) {
      if (!(error instanceof PaymentUnavailable || error instanceof PaymentRefused)) throw error;
      log.warn({ ...about, code: error.code }, "refund not taken");
      // What is owed is tried for ever while nobody can be asked; a no is a matter for a person in the end.
      if (error instanceof PaymentRefused && attempts >= mostRefusals)
        await keep({ kind: "failed", reference: null });
    }
  };

  return async (): Promise<number> => {
    const looks = await takeDueLooks(db, atOnce, leaseMs);
    const refunds: (() => Promise<void>)[] = [];
    for (const provider of byName.values())
      for (const refund of await takeDueRefunds(db, atOnce, provider.name))
        refunds.push(() => giveBack(provider, refund));
    // Begun together, when all is taken: one that fails while others are taken would be nobody's.
    const ended = await Promise.allSettled([...looks.map(look), ...refunds.map((giveOne) => giveOne())]);
    // Its lease ends by itself; the loop notes why, and waits.
    const broken = ended.find((each) => each.status === "rejected");
    if (broken) throw broken.reason;
    return ended.length + (await priceCharges(db));
  };
};
