import { z } from "zod";
import type { PaymentState } from "./provider.ts";

/** The fields that Portage reads of a Checkout Session, whatever version of Stripe's API wrote it. */
export const stripeSession = z.object({
  id: z.string(),
  object: z.literal("checkout.session"),
  status: z.enum(["open", "complete", "expired"]).nullable(),
  payment_status: z.enum(["paid", "unpaid", "no_payment_required"]),
  currency: z.string().nullable(),
  amount_total: z.int().nullable(),
  total_details: z.object({ amount_tax: z.int() }).nullish(),
  payment_intent: z.string().nullish(),
  client_reference_id: z.string().nullish(),
});

export type StripeSession = z.infer<typeof stripeSession>;

/** The payment state of a session. `at`: when Stripe reported it. */
export const paymentStateOf = (session: StripeSession, at: Date): PaymentState => {
  if (session.status === "expired") return { kind: "expired" };
  // Complete and unpaid: a debit that takes days; the session itself has no further state.
  if (session.status !== "complete" || session.payment_status === "unpaid") return { kind: "open" };
  return {
    kind: "paid",
    total: session.amount_total ?? 0,
    tax: session.total_details?.amount_tax ?? 0,
    currency: session.currency ?? "",
    paidAt: at,
  };
};
