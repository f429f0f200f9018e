/** One package of the price list, for an import of this size. Amounts are in minor units, without tax. */
export interface WizardPackage {
  readonly id: string;
  readonly name: string;
  /** Null: unlimited. */
  readonly upToRecords: number | null;
  readonly amount: number;
  readonly fits: "too_small" | "fits" | "larger";
}

/** The price of the full move, fixed until it expires. */
export interface WizardQuote {
  readonly id: string;
  /** Billable records. */
  readonly records: number;
  /** For people: "Tickets". */
  readonly countedAs: readonly string[];
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly amount: number;
  readonly validUntil: string;
  readonly packages: readonly WizardPackage[];
  /** The matching package. */
  readonly packageId: string;
  /** Labels of the kinds of records that move free of charge. */
  readonly included: readonly string[];
  /** The number of days after payment in which an undo refunds the money. */
  readonly refundDays: number;
  /** The partner can pay instead, and has not declined. */
  readonly mayAskPartner: boolean;
  /** The customer pays on the page of a payment provider; false: the operator records the payment. */
  readonly paysElsewhere: boolean;
}

/** The current payment, or the last one. `open` without a URL: the operator will record the payment. */
export interface WizardCheckout {
  readonly id: string;
  readonly state: "opening" | "open" | "paid" | "expired" | "failed";
  readonly url: string | null;
}

export interface WizardReceipt {
  readonly number: string;
  readonly paidAt: string;
  readonly currency: string;
  /** Without tax. */
  readonly amount: number;
  readonly tax: number;
  readonly total: number;
  /** Set once a refund has started or completed. */
  readonly refund: {
    readonly state: "due" | "asked" | "done" | "failed";
    readonly amount: number;
    readonly doneAt: string | null;
  } | null;
}

/** Why the customer can't buy the move now. */
export type WizardNoOffer =
  /** No payment provider or no price list is configured: ask the partner or the operator. */
  | "not_offered"
  /** The quote comes after the sample. */
  | "no_sample"
  | "counting"
  | "not_counted"
  /** More records than the largest package allows. */
  | "too_large"
  /** The move is already paid for, or the partner pays. */
  | "sponsored";

interface WizardPurchaseFacts {
  readonly checkout: WizardCheckout | null;
  /** The receipt of the valid payment, else of the last one. */
  readonly receipt: WizardReceipt | null;
  /** The customer paid more than the price, and the excess is being refunded. */
  readonly paidTwice: boolean;
  /** The customer can request a refund now. */
  readonly mayRefund: boolean;
  /** When the customer last reminded the partner, and whether they can again. */
  readonly reminder: { readonly sentAt: string | null; readonly may: boolean };
}

/** GET /purchase, and the answer of POST /purchase/return and POST /purchase/refund. */
export type WizardPurchase =
  | ({ readonly kind: "none"; readonly why: WizardNoOffer } & WizardPurchaseFacts)
  | ({ readonly kind: "offer"; readonly quote: WizardQuote } & WizardPurchaseFacts)
  | ({ readonly kind: "paid"; readonly quote: WizardQuote | null } & WizardPurchaseFacts);

/** POST /purchase. */
export interface WizardBuy {
  readonly quoteId: string;
  readonly packageId: string;
}

/** `waiting`: the operator records the payment; the customer has nothing to do. */
export type WizardBought = { readonly kind: "redirect"; readonly url: string } | { readonly kind: "waiting" };

/** POST /purchase/return. */
export interface WizardReturned {
  readonly checkoutId: string;
}

/** POST /remind-partner. */
export interface WizardReminded {
  readonly sentAt: string;
}
