import { readExcerpt } from "../vendors/kit/excerpt-file.ts";
import { createSpecCheck, type SpecCheck } from "../vendors/kit/spec-check.ts";
import type { ExcerptPlan } from "../vendors/kit/spec-excerpt.ts";

/** What we call of Stripe's API, and the objects in its events. */
export const stripePlan: ExcerptPlan = {
  operations: [
    "POST /v1/checkout/sessions",
    "GET /v1/checkout/sessions",
    "GET /v1/checkout/sessions/{session}",
    "POST /v1/checkout/sessions/{session}/expire",
    "GET /v1/payment_intents/{intent}",
    "POST /v1/refunds",
    "GET /v1/refunds",
    "GET /v1/refunds/{refund}",
    "GET /v1/events",
    "GET /v1/events/{id}",
  ],
  schemas: ["checkout.session", "payment_intent", "refund", "charge", "event", "error"],
  depths: { line_items: 3, automatic_tax: 1, payment_intent_data: 1, total_details: 1, error: 1, data: 1 },
};

export const createStripeCheck = (): SpecCheck => createSpecCheck(readExcerpt("stripe"));
