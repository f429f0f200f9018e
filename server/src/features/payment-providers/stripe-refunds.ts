import type { Stripe } from "stripe";
import type { RefundOrder, RefundReport } from "./provider.ts";

/** The metadata key of Portage's refund id: it finds the refund after Stripe dropped the idempotency key. */
const ourId = "refund_id";

const hasFailed = ({ status }: Stripe.Refund) => status === "failed" || status === "canceled";

const isDone = ({ status }: Stripe.Refund) => status === "succeeded";

/** All of them: whoever adds up a part would refund too much. */
const listRefunds = (stripe: Stripe, paymentIntent: string): Promise<readonly Stripe.Refund[]> =>
  stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 }).autoPagingToArray({ limit: 10_000 });

const sumOf = (refunds: readonly Stripe.Refund[]) => refunds.reduce((sum, { amount }) => sum + amount, 0);

const isAlreadyRefunded = (error: unknown) =>
  (error as { readonly code?: unknown } | null)?.code === "charge_already_refunded";

/** Stripe lists the newest first. A refund under way decides the state, or else the newest. */
const reportOf = (refunds: readonly Stripe.Refund[]): RefundReport | undefined => {
  const underWay = refunds.find((refund) => !isDone(refund) && !hasFailed(refund));
  const decides = underWay ?? refunds[0];
  if (!decides) return undefined;
  const kind = underWay ? "asked" : isDone(decides) ? "done" : "failed";
  return { refunded: sumOf(refunds.filter(isDone)), state: { kind, reference: decides.id } };
};

/** All refunds of a payment, manual ones included. */
export const findStripeRefunds = async (
  stripe: Stripe,
  paymentIntent: string,
): Promise<RefundReport | undefined> => reportOf(await listRefunds(stripe, paymentIntent));

/**
 * Refunds what is missing to the total, once: Stripe's idempotency key ensures that within a day, the list of refunds
 * ever after. After a failed refund, or one that the customer's bank returned, the next call creates another one.
 */
export const refundAtStripe = async (
  stripe: Stripe,
  paymentIntent: string,
  { refundId, total }: RefundOrder,
): Promise<RefundReport> => {
  const nothing: RefundReport = { refunded: 0, state: { kind: "failed", reference: null } };
  const known = await listRefunds(stripe, paymentIntent);
  const missing = total - sumOf(known.filter((refund) => !hasFailed(refund)));
  if (missing <= 0) return reportOf(known) ?? nothing;
  const ours = known.filter(({ metadata }) => metadata?.[ourId] === refundId).length;
  try {
    const made = await stripe.refunds.create(
      { payment_intent: paymentIntent, amount: missing, metadata: { [ourId]: refundId } },
      // Stripe refuses a key that it knows with another amount.
      { idempotencyKey: `${refundId}:${ours}:${missing}` },
    );
    return reportOf([made, ...known]) ?? nothing;
  } catch (error) {
    if (!isAlreadyRefunded(error)) throw error;
    // The operator refunded it in Stripe's dashboard: the customer has the money, so the refund is done.
    return (await findStripeRefunds(stripe, paymentIntent)) ?? nothing;
  }
};
