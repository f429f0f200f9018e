import type { Stripe } from "stripe";
import type { DisputeState } from "./provider.ts";

/** Stripe's objects; its published description leaves them out, so the double of Stripe follows these types. */
export type StripeDispute = Stripe.Dispute;
export type StripeMovement = Stripe.BalanceTransaction;

const kinds: Readonly<Record<string, DisputeState["kind"]>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  warning_closed: "closed",
  prevented: "closed",
  won: "won",
  lost: "lost",
};

const stateOf = (dispute: StripeDispute): DisputeState => {
  // Stripe lists what it took from the account and what it returned, in the account's currency: only the sign is comparable.
  const moved = dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
  return {
    reference: dispute.id,
    // Also a status that Stripe adds later: the operator looks at an open dispute.
    kind: kinds[dispute.status] ?? "open",
    reason: dispute.reason,
    amount: dispute.amount,
    currency: dispute.currency,
    isWithdrawn: moved < 0,
    openedAt: new Date(dispute.created * 1000),
  };
};

/** All disputes of a payment, in their current state. */
export const lookAtStripeDisputes = async (
  stripe: Stripe,
  paymentIntent: string,
): Promise<readonly DisputeState[]> =>
  (await stripe.disputes.list({ payment_intent: paymentIntent, limit: 100 })).data.map(stateOf);
