/**
 * Payment providers behind one interface, `PaymentProvider`. Entry points: `createStripe` (Stripe Checkout), `createManual`
 * (the operator records payments by hand), `isWhatWasAsked` (compares a payment with its order) and `measureProvider`
 * (counts the answers, for metrics). It stores nothing; `billing` does.
 * Invariants: providers throw only `PaymentUnavailable` (retry later) and `PaymentRefused` (final), and their errors
 * carry no secret (stripe-failure.ts). Our checkout and refund ids are the idempotency keys, so a repeated order or
 * refund takes effect once (stripe.ts, stripe-refunds.ts). A notice counts only with a valid signature
 * (stripe-notice.ts).
 */
export { isWhatWasAsked } from "./asked-amount.ts";
export { createManual } from "./manual.ts";
export { measureProvider } from "./measure-provider.ts";
export {
  type DisputeState,
  type PaymentNotice,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
  PaymentUnavailable,
  type RefundReport,
} from "./provider.ts";
export { createStripe } from "./stripe.ts";
