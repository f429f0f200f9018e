export { post } from "./ledger.ts";
export { oweBack, takeLateRefund } from "./owe-back.ts";
export type { MoneyActor } from "./posting.ts";
export type { RefundReason } from "./refund-reason.ts";
export { chargeSponsor, creditSponsor, priceCharge } from "./sponsor-charge.ts";
export { findCountingPayment, findGivenInPart, insertRefund } from "./store-owed.ts";
export { endCheckoutsSoon } from "./store-checkouts.ts";
