import { Stripe } from "stripe";
import { timeOfId } from "../../platform/ids.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Secret } from "../../platform/secret.ts";
import type { PaymentProvider, PaymentState } from "./provider.ts";
import { lookAtStripeDisputes } from "./stripe-disputes.ts";
import { stripeFailure } from "./stripe-failure.ts";
import { createReadStripeNotice } from "./stripe-notice.ts";
import { findStripeRefunds, refundAtStripe } from "./stripe-refunds.ts";
import { paymentStateOf, type StripeSession, stripeSession } from "./stripe-session.ts";
import { createStripeTransport } from "./stripe-transport.ts";

export interface StripeSettings {
  readonly secretKey: Secret;
  readonly webhookSecret: Secret;
  /** Null: Stripe's own URL. */
  readonly apiUrl: string | null;
  /** Whether Stripe adds tax; the operator must set it up there. */
  readonly automaticTax: boolean;
  readonly outbound: Pick<Outbound, "send">;
}

/** Stripe allows a day. Counted from the timestamp in our id, so that a repeated order is identical. */
const payableMs = 23 * 3_600_000;
const timeoutMs = 10_000;

const addressOf = (apiUrl: string | null) => {
  if (apiUrl === null) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === "http:";
  return {
    host: hostname,
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? "http" : "https",
  } as const;
};

/** Stripe Checkout: Stripe's page takes the payment, and our ids are the idempotency keys. */
export const createStripe = (settings: StripeSettings): PaymentProvider => {
  const stripe = new Stripe(settings.secretKey.reveal(), {
    ...addressOf(settings.apiUrl),
    httpClient: createStripeTransport(settings.outbound),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw stripeFailure(error);
    }
  };
  const retrieve = async (reference: string): Promise<StripeSession> =>
    stripeSession.parse(await stripe.checkout.sessions.retrieve(reference));

  const stateOf = async (session: StripeSession): Promise<PaymentState> => {
    const state = paymentStateOf(session, new Date());
    if (state.kind !== "open" || session.status !== "complete" || session.payment_intent == null)
      return state;
    const { status } = await stripe.paymentIntents.retrieve(session.payment_intent);
    return status === "requires_payment_method" || status === "canceled" ? { kind: "failed" } : state;
  };
  const find = async (reference: string) => stateOf(await retrieve(reference));

  const sessionPaidBy = async (paymentIntent: string) =>
    (await stripe.checkout.sessions.list({ payment_intent: paymentIntent, limit: 1 })).data[0];
  const lookAtDisputes = async (paymentIntent: string) => {
    const session = await sessionPaidBy(paymentIntent);
    const disputes = session && (await lookAtStripeDisputes(stripe, paymentIntent));
    return disputes && disputes.length > 0 ? { reference: session.id, disputes } : undefined;
  };

  return {
    name: "stripe",
    open: ({ checkoutId, importId, amount, currency, description, paidUrl, leftUrl }) =>
      asking(async () => {
        const expiresAt = Math.floor((timeOfId(checkoutId) + payableMs) / 1000);
        const metadata = { checkout_id: checkoutId, import_id: importId };
        const session = await stripe.checkout.sessions.create(
          {
            mode: "payment",
            client_reference_id: checkoutId,
            line_items: [
              {
                quantity: 1,
                price_data: { currency, unit_amount: amount, product_data: { name: description } },
              },
            ],
            automatic_tax: { enabled: settings.automaticTax },
            metadata,
            payment_intent_data: { metadata },
            success_url: paidUrl,
            cancel_url: leftUrl,
            expires_at: expiresAt,
          },
          { idempotencyKey: checkoutId },
        );
        return { reference: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
      }),
    find: (reference) => asking(() => find(reference)),
    expire: (reference) =>
      asking(async () => {
        try {
          return await stateOf(stripeSession.parse(await stripe.checkout.sessions.expire(reference)));
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          // The session was no longer open: return its actual state.
          return find(reference);
        }
      }),
    refund: (order) =>
      asking(async () => {
        const { payment_intent: paymentIntent } = await retrieve(order.reference);
        return paymentIntent == null
          ? { refunded: null, state: { kind: "failed", reference: null } }
          : refundAtStripe(stripe, paymentIntent, order);
      }),
    findRefunds: (reference) =>
      asking(async () => {
        const { payment_intent: paymentIntent } = await retrieve(reference);
        return paymentIntent == null ? undefined : findStripeRefunds(stripe, paymentIntent);
      }),
    readNotice: createReadStripeNotice({
      webhooks: stripe.webhooks,
      secret: settings.webhookSecret,
      findReference: (paymentIntent) => asking(async () => (await sessionPaidBy(paymentIntent))?.id),
      lookAtDisputes: (paymentIntent) => asking(() => lookAtDisputes(paymentIntent)),
    }),
  };
};
