/**
 * Prices imports, takes customers' payments and lets partners sponsor imports. Entry points: `fixQuote` (price), `buy`
 * (open a checkout), `takeNotice` (provider webhooks), `createSettle` (payments and refunds), `createPollPayments` (the
 * background turn), `askFull` and `decideSponsorship` (sponsorship), `makeInvoice`.
 * Invariants: settle.ts applies each fact about money once, in one transaction, under the import's lock. An import has
 * at most one checkout under way and one current quote (unique indexes in 000014_billing.sql). Portage owes back a
 * payment that buys nothing (settle-payment.ts). A price book never changes; `saveBook` replaces it.
 */
export { applyRules, askFull } from "./ask-full.ts";
export { buy, type Buying } from "./buy.ts";
export type { Checkout } from "./checkout.ts";
export { type CountRecords, createCountRecords } from "./count-records.ts";
export { countedLabels, includedLabels } from "./counted-labels.ts";
export { decideSponsorship } from "./decide-sponsorship.ts";
export { fixQuote } from "./fix-quote.ts";
export { type Invoice, invoiceCsv, makeInvoice, monthPattern } from "./invoices.ts";
export { pollCheckout } from "./poll-checkout.ts";
export { createPollPayments } from "./poll-payments.ts";
export { previewPrice } from "./preview-price.ts";
export { type PriceBook, priceBookSchema } from "./price-book.ts";
export { holds, type Quote } from "./quote.ts";
export { remindPartner } from "./remind-partner.ts";
export { type ChoiceSaved, saveChoice } from "./save-choice.ts";
export { createSettle, type Settle } from "./settle.ts";
export { previewCost, sponsorRulesSchema, type SponsorRuleSet } from "./sponsor-rules.ts";
export { findBook, findBookFor, holdOwnBook, listBooks, saveBook } from "./store-books.ts";
export { findCheckout, listCheckouts } from "./store-checkouts.ts";
export { startPoll } from "./store-polls.ts";
export { listBalances, listPosted, type PostedLine } from "./store-invoices.ts";
export { hasDispute, listDisputes } from "./store-disputes.ts";
export { deleteOldNotices } from "./store-notices.ts";
export { findQuote, listPastQuotes } from "./store-quotes.ts";
export { listRefunds, type Refund, retryRefund } from "./store-refunds.ts";
export { findReminder, findRules, listDecisions, saveRules } from "./store-sponsors.ts";
export { takeNotice } from "./take-notice.ts";
