import type { Stripe } from "stripe";
import { z } from "zod";
import type { Secret } from "../../platform/secret.ts";
import type { DisputeState, PaymentNotice } from "./provider.ts";
import { paymentStateOf, stripeSession } from "./stripe-session.ts";

interface Needs {
  readonly webhooks: Stripe["webhooks"];
  readonly secret: Secret;
  /** The checkout session of a payment intent; undefined: it has none. */
  readonly findReference: (paymentIntent: string) => Promise<string | undefined>;
  /** The disputes of a payment intent; undefined: it has no checkout, or no dispute. */
  readonly lookAtDisputes: (
    paymentIntent: string,
  ) => Promise<{ reference: string; disputes: readonly DisputeState[] } | undefined>;
}

/** An older signature counts as a replay attack. */
const toleranceSeconds = 300;

const stripeEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.int(),
  data: z.object({ object: z.unknown() }),
});

/** The field that charges, refunds and disputes share. */
const ofIntent = z.object({ payment_intent: z.string() });

const aboutSessions = new Set([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
]);
const aboutRefunds = new Set([
  "charge.refunded",
  "charge.refund.updated",
  "refund.created",
  "refund.updated",
  "refund.failed",
]);

const aboutDisputes = new Set([
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
]);

/** Reads Stripe's webhooks, after the check of the signature over the raw bytes. */
export const createReadStripeNotice = ({ webhooks, secret, findReference, lookAtDisputes }: Needs) => {
  const verified = (rawBody: Buffer, signature: string | undefined): unknown => {
    try {
      return webhooks.constructEvent(rawBody, signature ?? "", secret.reveal(), toleranceSeconds);
    } catch {
      return undefined;
    }
  };
  return async (
    rawBody: Buffer,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<PaymentNotice> => {
    const event = stripeEvent.safeParse(verified(rawBody, headers["stripe-signature"])).data;
    if (!event) return { kind: "refused" };
    const about = { noticeId: event.id, type: event.type };
    const other: PaymentNotice = { kind: "other", ...about };
    if (aboutSessions.has(event.type)) {
      const session = stripeSession.safeParse(event.data.object).data;
      if (!session) return other;
      const state =
        event.type === "checkout.session.async_payment_failed"
          ? ({ kind: "failed" } as const)
          : paymentStateOf(session, new Date(event.created * 1000));
      const checkoutId = session.client_reference_id ?? null;
      return { kind: "payment", ...about, reference: session.id, checkoutId, state };
    }
    if (!aboutRefunds.has(event.type) && !aboutDisputes.has(event.type)) return other;
    const intent = ofIntent.safeParse(event.data.object).data?.payment_intent;
    if (intent === undefined) return other;
    // Poll Stripe: refunds and disputes have several steps, and a late notice must not revert a later step.
    if (aboutDisputes.has(event.type)) {
      const disputed = await lookAtDisputes(intent);
      return disputed ? { kind: "dispute", ...about, ...disputed } : other;
    }
    const reference = await findReference(intent);
    return reference === undefined ? other : { kind: "refund", ...about, reference };
  };
};
