import type {
  WizardCheckout,
  WizardNoOffer,
  WizardPurchase,
  WizardQuote,
  WizardReceipt,
} from "@portage/contract/wizard";
import {
  type Checkout,
  countedLabels,
  holds,
  includedLabels,
  type PriceBook,
  type Quote,
  type Refund,
} from "../../../features/billing/index.ts";
import type { ImportRecord } from "../../../features/imports/index.ts";

/** The billing data of an import that the customer sees. */
export interface PurchaseFacts {
  readonly found: ImportRecord;
  readonly offer:
    | { readonly kind: "none"; readonly why: WizardNoOffer }
    | { readonly kind: "quote"; readonly quote: Quote; readonly book: PriceBook };
  readonly mayAskPartner: boolean;
  readonly paysElsewhere: boolean;
  /** Newest first. */
  readonly checkouts: readonly Checkout[];
  readonly refunds: readonly Refund[];
  readonly mayRefund: boolean;
  readonly reminder: { readonly sentAt: Date; readonly recent: boolean } | undefined;
  readonly waitsForPartner: boolean;
}

const fitOf = (pack: PriceBook["packages"][number], quote: Quote) => {
  if (pack.id === quote.package.id) return "fits";
  return holds(pack, quote.records) ? "larger" : "too_small";
};

const quoteJson = (
  { family }: ImportRecord,
  quote: Quote,
  book: PriceBook,
  { mayAskPartner, paysElsewhere }: Pick<PurchaseFacts, "mayAskPartner" | "paysElsewhere">,
): WizardQuote => ({
  id: quote.id,
  records: quote.records,
  currency: quote.currency,
  amount: quote.amount,
  countedAs: countedLabels(book, family),
  validUntil: quote.validUntil.toISOString(),
  packages: book.packages.map((pack) => ({ ...pack, fits: fitOf(pack, quote) })),
  packageId: quote.package.id,
  included: includedLabels(book, family),
  refundDays: book.refundDays,
  mayAskPartner,
  paysElsewhere,
});

const receiptJson = (checkout: Checkout, refund: Refund | undefined): WizardReceipt => {
  const tax = checkout.tax ?? 0;
  return {
    number: checkout.id,
    paidAt: (checkout.paidAt ?? checkout.createdAt).toISOString(),
    currency: checkout.currency,
    amount: checkout.amount,
    tax,
    total: checkout.amount + tax,
    refund: refund
      ? { state: refund.state, amount: refund.amount, doneAt: refund.doneAt?.toISOString() ?? null }
      : null,
  };
};

const checkoutJson = ({ id, state, url }: Checkout): WizardCheckout => ({
  id,
  state,
  // Only an open checkout accepts a payment.
  url: state === "open" ? url : null,
});

export const purchaseView = (facts: PurchaseFacts): WizardPurchase => {
  const { found, offer, checkouts, refunds } = facts;
  const refundOf = (checkout: Checkout) => refunds.find(({ checkoutId }) => checkoutId === checkout.id);
  const paid = checkouts.filter(({ state }) => state === "paid");
  const receipt = paid.find((checkout) => refundOf(checkout) === undefined) ?? paid[0];
  const latest = checkouts[0];
  const shared = {
    checkout: latest ? checkoutJson(latest) : null,
    receipt: receipt ? receiptJson(receipt, refundOf(receipt)) : null,
    paidTwice: refunds.some(({ reason }) => reason === "paid_twice"),
    mayRefund: facts.mayRefund,
    reminder: {
      sentAt: facts.reminder?.sentAt.toISOString() ?? null,
      may: facts.waitsForPartner && facts.reminder?.recent !== true,
    },
  };
  const quote = offer.kind === "quote" ? quoteJson(found, offer.quote, offer.book, facts) : null;
  if (found.state.bought) return { kind: "paid", quote, ...shared };
  if (offer.kind === "quote" && quote) return { kind: "offer", quote, ...shared };
  return { kind: "none", why: offer.kind === "none" ? offer.why : "not_offered", ...shared };
};
