import type {
  StripeDispute,
  StripeMovement,
} from "../../server/src/features/payment-providers/stripe-disputes.ts";
import { type Dispute, type PaymentIntent, type Refund, type Session, type StripeEvent } from "./account.ts";

/** The vendor's objects in its JSON format. */
export const sessionObject = (session: Session, pageUrl: string): object => ({
  id: session.id,
  object: "checkout.session",
  livemode: false,
  mode: "payment",
  status: session.status,
  payment_status: session.paymentStatus,
  payment_intent: session.paymentIntent,
  amount_subtotal: session.amount,
  amount_total: session.amount + session.tax,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: session.tax },
  automatic_tax: {
    enabled: session.order.automatic_tax?.enabled ?? false,
    status: session.order.automatic_tax?.enabled ? "complete" : null,
  },
  currency: session.currency,
  client_reference_id: session.order.client_reference_id ?? null,
  customer_email: session.order.customer_email ?? null,
  metadata: session.order.metadata ?? {},
  created: session.createdAt,
  expires_at: session.expiresAt,
  custom_fields: [],
  custom_text: {},
  shipping_options: [],
  payment_method_types: ["card"],
  success_url: session.order.success_url,
  cancel_url: session.order.cancel_url ?? null,
  url: session.status === "open" ? pageUrl : null,
});

export const intentObject = (intent: PaymentIntent): object => ({
  id: intent.id,
  object: "payment_intent",
  livemode: false,
  amount: intent.amount,
  amount_received: intent.status === "succeeded" ? intent.amount : 0,
  currency: intent.currency,
  created: intent.createdAt,
  status: intent.status,
  capture_method: "automatic",
  confirmation_method: "automatic",
  payment_method_types: ["card"],
  latest_charge: intent.charge,
  metadata: intent.metadata,
});

export const chargeObject = (intent: PaymentIntent): object => ({
  id: intent.charge,
  object: "charge",
  livemode: false,
  amount: intent.amount,
  amount_captured: intent.amount,
  amount_refunded: intent.refunded,
  refunded: intent.refunded === intent.amount,
  captured: true,
  paid: true,
  disputed: false,
  status: "succeeded",
  billing_details: {},
  currency: intent.currency,
  created: intent.createdAt,
  payment_intent: intent.id,
  metadata: intent.metadata,
});

const movementObject = (dispute: Dispute, amount: number): StripeMovement => ({
  id: `txn_${dispute.id}_${amount < 0 ? "taken" : "returned"}`,
  object: "balance_transaction",
  amount,
  available_on: dispute.createdAt,
  balance_type: "payments",
  created: dispute.createdAt,
  currency: dispute.intent.currency,
  description: null,
  exchange_rate: null,
  fee: 1_500,
  fee_details: [],
  net: amount - 1_500,
  reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
  source: dispute.id,
  status: "available",
  type: "adjustment",
});

export const refundObject = (refund: Refund): object => ({
  id: refund.id,
  object: "refund",
  amount: refund.amount,
  currency: refund.intent.currency,
  created: refund.createdAt,
  status: refund.status,
  reason: refund.reason,
  metadata: refund.metadata,
  payment_intent: refund.intent.id,
  charge: refund.intent.charge,
  ...(refund.status === "failed" && { failure_reason: "lost_or_stolen_card" }),
});

/** The vendor's description leaves out disputes, so the types of the vendor's own SDK bind this one. */
export const disputeObject = (dispute: Dispute): StripeDispute => ({
  id: dispute.id,
  object: "dispute",
  amount: dispute.amount,
  balance_transactions: dispute.moved.map((amount) => movementObject(dispute, amount)),
  charge: dispute.intent.charge,
  created: dispute.createdAt,
  currency: dispute.intent.currency,
  enhanced_eligibility_types: [],
  evidence: {} as StripeDispute["evidence"],
  evidence_details: {
    due_by: dispute.createdAt + 7 * 86_400,
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    enhanced_eligibility: {},
    submission_method: "manual",
  },
  intended_submission_method: "manual",
  is_charge_refundable: dispute.moved.length === 0,
  livemode: false,
  metadata: {},
  payment_intent: dispute.intent.id,
  reason: dispute.reason,
  status: dispute.status,
});

export const eventObject = (event: StripeEvent): object => ({
  id: event.id,
  object: "event",
  type: event.type,
  created: event.createdAt,
  livemode: false,
  api_version: "2025-10-15",
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  data: { object: event.object },
});

/** A page of a list: what follows `starting_after`. */
export const listObject = (
  url: string,
  all: readonly { readonly id: string }[],
  { limit = "10", starting_after: after }: { readonly limit?: unknown; readonly starting_after?: unknown },
): object => {
  const rest = after === undefined ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
  const data = rest.slice(0, Math.min(Number(limit), 100));
  return { object: "list", url, has_more: data.length < rest.length, data };
};
