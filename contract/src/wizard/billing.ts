/** One package of the price list, as it looks to an import of this size. Amounts are in minor units, without tax. */
export interface WizardPackage {
  readonly id: string;
  readonly name: string;
  /** Null: without a limit. */
  readonly upToRecords: number | null;
  readonly amount: number;
  readonly fits: "too_small" | "fits" | "larger";
}

/** What the full move costs: fixed until it runs out. */
export interface WizardQuote {
  readonly id: string;
  /** Records that count. */
  readonly records: number;
  /** For people: "Tickets". */
  readonly countedAs: readonly string[];
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly amount: number;
  readonly validUntil: string;
  readonly packages: readonly WizardPackage[];
  /** The one that fits. */
  readonly packageId: string;
  /** What is moved, too, and costs nothing: labels for people. */
  readonly included: readonly string[];
  /** So many days after payment an undo gives the money back. */
  readonly refundDays: number;
  /** The partner may pay instead, and has not said no. */
  readonly mayAskPartner: boolean;
}

/** The payment under way, or the last that was. `open` without a URL: the operator is going to note that it was paid. */
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
  /** Set once the money is on its way back, or there. */
  readonly refund: {
    readonly state: "due" | "asked" | "done" | "failed";
    readonly amount: number;
    readonly doneAt: string | null;
  } | null;
}

/** Why nothing is for sale here now. */
export type WizardNoOffer =
  /** No way to pay was set up, or no price list: the partner or the operator is to be asked. */
  | "not_offered"
  /** The quote comes after the sample. */
  | "no_sample"
  | "counting"
  | "not_counted"
  /** More records than the largest package holds. */
  | "too_large"
  /** Somebody has paid, or promised to. */
  | "sponsored";

interface WizardPurchaseFacts {
  readonly checkout: WizardCheckout | null;
  /** Of the payment that counts, else of the last one. */
  readonly receipt: WizardReceipt | null;
  /** More money than was owed came in, and is on its way back. */
  readonly paidTwice: boolean;
  /** The customer may ask for the money back now. */
  readonly mayRefund: boolean;
  /** When the partner was last reminded by the customer, and whether it can be again. */
  readonly reminder: { readonly sentAt: string | null; readonly may: boolean };
}

/** GET /purchase, and what POST /purchase/return and POST /purchase/refund answer. */
export type WizardPurchase =
  | ({ readonly kind: "none"; readonly why: WizardNoOffer } & WizardPurchaseFacts)
  | ({ readonly kind: "offer"; readonly quote: WizardQuote } & WizardPurchaseFacts)
  | ({ readonly kind: "paid"; readonly quote: WizardQuote | null } & WizardPurchaseFacts);

/** POST /purchase. */
export interface WizardBuy {
  readonly quoteId: string;
  readonly packageId: string;
}

/** `waiting`: the operator notes the payment; nothing is to be done here. */
export type WizardBought = { readonly kind: "redirect"; readonly url: string } | { readonly kind: "waiting" };

/** POST /purchase/return. */
export interface WizardReturned {
  readonly checkoutId: string;
}

/** POST /remind-partner. */
export interface WizardReminded {
  readonly sentAt: string;
}
