import type { Stripe } from "stripe";
import type { RefundOrder, RefundState } from "./provider.ts";

/** The metadata key of Portage's refund id: it finds the refund after Stripe dropped the idempotency key. */
const ourId = "refund_id";

const hasFailed = ({ status }: Stripe.Refund) => status === "failed" || status === "canceled";

const refundStateOf = (refund: Stripe.Refund): RefundState => {
  const { id: reference, status } = refund;
  if (status === "succeeded") return { kind: "done", reference };
  return { kind: hasFailed(refund) ? "failed" : "asked", reference };
};

const listRefunds = async (stripe: Stripe, paymentIntent: string): Promise<readonly Stripe.Refund[]> =>
  (await stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 })).data;

const sumOf = (refunds: readonly Stripe.Refund[]) => refunds.reduce((sum, { amount }) => sum + amount, 0);

const isAlreadyRefunded = (error: unknown) =>
  (error as { readonly code?: unknown } | null)?.code === "charge_already_refunded";

/** All refunds of a payment, manual ones included. */
export const lookAtStripeRefunds = async (
  stripe: Stripe,
  paymentIntent: string,
): Promise<{ refunded: number; state: RefundState } | undefined> => {
  const refunds = await listRefunds(stripe, paymentIntent);
  const done = refunds.filter(({ status }) => status === "succeeded");
  const newest = refunds.find(({ status }) => status === "pending") ?? done[0] ?? refunds[0];
  return newest && { refunded: sumOf(done), state: refundStateOf(newest) };
};

/**
 * Refunds a payment once: Stripe's idempotency key ensures that within a day, our id in the metadata ever after. After
 * a failed refund, the next call creates another one under its own key.
 */
export const refundAtStripe = async (
  stripe: Stripe,
  paymentIntent: string,
  { refundId, amount }: RefundOrder,
): Promise<RefundState> => {
  const known = await listRefunds(stripe, paymentIntent);
  const ours = known.filter(({ metadata }) => metadata?.[ourId] === refundId);
  const alive = ours.find((refund) => !hasFailed(refund));
  if (alive) return refundStateOf(alive);
  try {
    return refundStateOf(
      await stripe.refunds.create(
        { payment_intent: paymentIntent, amount, metadata: { [ourId]: refundId } },
        { idempotencyKey: ours.length === 0 ? refundId : `${refundId}:${ours.length}` },
      ),
    );
  } catch (error) {
    if (!isAlreadyRefunded(error)) throw error;
    // The operator refunded it in Stripe's dashboard: the customer has the money, so the refund is done.
    const byHand = (await listRefunds(stripe, paymentIntent)).find(({ status }) => status === "succeeded");
    return byHand ? { kind: "done", reference: byHand.id } : { kind: "failed", reference: null };
  }
};
