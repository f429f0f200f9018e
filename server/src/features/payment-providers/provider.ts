/** A payment to collect. `checkoutId` is also the provider's idempotency key for the order. */
export interface PaymentOrder {
  readonly checkoutId: string;
  readonly importId: string;
  /** In minor units, without tax, which the provider calculates. */
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** One line for the customer, without anything about their records. */
  readonly description: string;
  /** Where the provider redirects the customer's browser afterwards. */
  readonly paidUrl: string;
  readonly leftUrl: string;
}

export interface OpenedPayment {
  /** The provider's id of the payment. */
  readonly reference: string;
  /** The payment page; null: the customer pays elsewhere, and the operator records it. */
  readonly url: string | null;
  readonly expiresAt: Date | null;
}

export type PaymentState =
  | { readonly kind: "open" }
  /** As the provider reports it: the caller must compare it with the order (`isWhatWasAsked`). */
  | {
      readonly kind: "paid";
      /** Tax included. */
      readonly total: number;
      readonly tax: number;
      readonly currency: string;
      readonly paidAt: Date;
    }
  | { readonly kind: "expired" }
  | { readonly kind: "failed" };

/** `refundId` is also part of the provider's idempotency key. */
export interface RefundOrder {
  readonly refundId: string;
  /** The provider's id of the payment to refund. */
  readonly reference: string;
  /** What all refunds of the payment shall add up to, tax included: the provider pays out what is missing. */
  readonly total: number;
  readonly currency: string;
}

export type RefundState =
  | { readonly kind: "done"; readonly reference: string }
  /** The provider accepted it, and it is still pending. */
  | { readonly kind: "asked"; readonly reference: string }
  /** Final: the operator has to look at it. */
  | { readonly kind: "failed"; readonly reference: string | null };

/** What became of a payment's refunds, whoever made them. A later report may say less: banks return refunds. */
export interface RefundReport {
  /** What the customer has got of the payment by now, in minor units; null: the provider does not count it. */
  readonly refunded: number | null;
  readonly state: RefundState;
}

/** A payment that the customer disputes at their bank (chargeback), as the provider reports it now. */
export interface DisputeState {
  /** The provider's id of the dispute. */
  readonly reference: string;
  /** `inquiry`: the bank asks before it decides. `closed`: it ended without a decision. */
  readonly kind: "inquiry" | "open" | "won" | "lost" | "closed";
  /** The provider's word for the customer's reason. */
  readonly reason: string;
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** Whether the bank has taken the amount and not returned it. */
  readonly isWithdrawn: boolean;
  readonly openedAt: Date;
}

/** A provider's notice after the check of its signature. */
export type PaymentNotice =
  | {
      readonly kind: "payment";
      readonly noticeId: string;
      readonly type: string;
      /** The provider's id of the payment. */
      readonly reference: string;
      /** Portage's id, if the notice carries it: a crash can lose the reference. */
      readonly checkoutId: string | null;
      readonly state: PaymentState;
    }
  /** A refund of the payment changed: `findRefunds` says how. */
  | {
      readonly kind: "refund";
      readonly noticeId: string;
      readonly type: string;
      /** The provider's id of the payment. */
      readonly reference: string;
    }
  | {
      readonly kind: "dispute";
      readonly noticeId: string;
      readonly type: string;
      /** The provider's id of the payment. */
      readonly reference: string;
      /** All disputes of the payment. */
      readonly disputes: readonly DisputeState[];
    }
  /** A notice that Portage ignores. */
  | { readonly kind: "other"; readonly noticeId: string; readonly type: string }
  | { readonly kind: "refused" };

/** The provider refused, and would refuse a retry. The message names no customer and no key. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
  readonly code: string;
  constructor(provider: string, code: string) {
    super(`${provider} refused: ${code}.`);
    this.code = code;
  }
}

/** The provider is unreachable or has an outage: the caller retries later. */
export class PaymentUnavailable extends Error {
  override readonly name = "PaymentUnavailable";
  readonly code: string;
  constructor(provider: string, code: string) {
    super(`${provider} did not answer: ${code}.`);
    this.code = code;
  }
}

/** A service that collects customers' payments. By design it throws only `PaymentUnavailable` and `PaymentRefused`. */
export interface PaymentProvider {
  readonly name: string;
  open(order: PaymentOrder): Promise<OpenedPayment>;
  find(reference: string): Promise<PaymentState>;
  /** Closes the payment page and returns the payment's state, which may be paid. */
  expire(reference: string): Promise<PaymentState>;
  refund(order: RefundOrder): Promise<RefundReport>;
  /** Undefined: the payment has no refund. */
  findRefunds(reference: string): Promise<RefundReport | undefined>;
  readNotice(rawBody: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<PaymentNotice>;
}
