/**
 * The billing ledger: double-entry postings, refunds owed to customers, charges to sponsoring partners. `imports` calls
 * it inside its transitions, `billing` when it settles payments. Entry points: `post`, `oweBack`, `takeLateRefund`,
 * `chargeSponsor`, `creditSponsor`, `priceCharge`. Callers hold the import's lock.
 * Invariants: the lines of a posting add up to zero (`post`, and a trigger in 000014_billing.sql); postings never
 * change (triggers) and each reference is posted once (unique column). A checkout has at most one refund, and an import
 * at most one charge without a credit (unique indexes). An import is bought while its `customer_paid` balance is above
 * zero.
 */
export { post } from "./ledger.ts";
export { oweBack, takeLateRefund } from "./owe-back.ts";
export type { MoneyActor } from "./posting.ts";
export type { RefundReason } from "./refund-reason.ts";
export { chargeSponsor, creditSponsor, priceCharge } from "./sponsor-charge.ts";
export { findCountingPayment, findGivenBack, givenBack, insertRefund } from "./store-owed.ts";
export { endCheckoutsSoon } from "./store-checkouts.ts";
