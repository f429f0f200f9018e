import type { Stripe } from "stripe";
import { z } from "zod";
import type { Secret } from "../../platform/secret.ts";
import type { Notice, RefundState } from "./provider.ts";
import { paymentStateOf, stripeSession } from "./stripe-session.ts";

interface Needs {
  readonly webhooks: Stripe["webhooks"];
  readonly secret: Secret;
  /** What became of the money of a payment intent; undefined: it is of no checkout. */
  readonly lookAtRefunds: (
    paymentIntent: string,
  ) => Promise<{ reference: string; refunded: number; state: RefundState } | undefined>;
}

/** Older ones are repeated by somebody who listened. */
const toleranceSeconds = 300;

const stripeEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.int(),
  data: z.object({ object: z.unknown() }),
});

/** Charges and refunds alike. */
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

/** Reads what Stripe posts, once the signature over the very bytes has been checked. */
export const createReadStripeNotice = ({ webhooks, secret, lookAtRefunds }: Needs) => {
  const verified = (rawBody: Buffer, signature: string | undefined): unknown => {
    try {
      return webhooks.constructEvent(rawBody, signature ?? "", secret.reveal(), toleranceSeconds);
    } catch {
      return undefined;
    }
  };
  return async (rawBody: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<Notice> => {
    const event = stripeEvent.safeParse(verified(rawBody, headers["stripe-signature"])).data;
    if (!event) return { kind: "refused" };
    const about = { noticeId: event.id, type: event.type };
    const other: Notice = { kind: "other", ...about };
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
    const intent = aboutRefunds.has(event.type)
      ? ofIntent.safeParse(event.data.object).data?.payment_intent
      : undefined;
    // Asked anew: refunds come in several steps, and what is told late must not undo what came after it.
    const found = intent === undefined ? undefined : await lookAtRefunds(intent);
    return found ? { kind: "refund", ...about, ...found } : other;
  };
};
