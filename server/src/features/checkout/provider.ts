/** What is to be paid. `checkoutId` is also the key under which a provider takes the same order twice for one. */
export interface PaymentOrder {
  readonly checkoutId: string;
  readonly importId: string;
  /** In minor units, without tax, which is the provider's to reckon. */
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** One line for the customer, without anything about their records. */
  readonly description: string;
  /** Where the customer's browser goes afterwards. */
  readonly paidUrl: string;
  readonly leftUrl: string;
}

export interface OpenedPayment {
  /** What the provider calls it. */
  readonly reference: string;
  /** Where the customer pays; null: elsewhere, and the operator notes it. */
  readonly url: string | null;
  readonly expiresAt: Date | null;
}

export type PaymentState =
  | { readonly kind: "open" }
  /** As the provider says it: whoever believes it compares with what was asked for (`isWhatWasAsked`). */
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

/** `refundId` is also the key under which a provider takes the same order twice for one. */
export interface RefundOrder {
  readonly refundId: string;
  /** Of the payment that is given back. */
  readonly reference: string;
  /** Tax included. */
  readonly amount: number;
  readonly currency: string;
}

export type RefundState =
  | { readonly kind: "done"; readonly reference: string }
  /** Taken, and not certain yet. */
  | { readonly kind: "asked"; readonly reference: string }
  /** For good: somebody has to look at it. */
  | { readonly kind: "failed"; readonly reference: string | null };

/** What a provider told us by itself, once its signature has been checked. */
export type Notice =
  | {
      readonly kind: "payment";
      readonly noticeId: string;
      readonly type: string;
      /** Of the payment. */
      readonly reference: string;
      /** What we call it, as far as the notice says so: a crash can leave us without the reference. */
      readonly checkoutId: string | null;
      readonly state: PaymentState;
    }
  | {
      readonly kind: "refund";
      readonly noticeId: string;
      readonly type: string;
      /** Of the payment. */
      readonly reference: string;
      /** All that was given back of it so far, in minor units. */
      readonly refunded: number;
      readonly state: RefundState;
    }
  /** Nothing that we act on. */
  | { readonly kind: "other"; readonly noticeId: string; readonly type: string }
  | { readonly kind: "refused" };

/** The provider said no, and would say so again. Names no customer and no key. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
  readonly code: string;
  constructor(provider: string, code: string) {
    super(`${provider} refused: ${code}.`);
    this.code = code;
  }
}

/** The provider could not be asked, or has trouble of its own: the same question is asked again later. */
export class PaymentUnavailable extends Error {
  override readonly name = "PaymentUnavailable";
  readonly code: string;
  constructor(provider: string, code: string) {
    super(`${provider} did not answer: ${code}.`);
    this.code = code;
  }
}

/** Somebody who takes customers' money for us. Throws `PaymentUnavailable` or `PaymentRefused`, and nothing else by design. */
export interface PaymentProvider {
  readonly name: string;
  open(order: PaymentOrder): Promise<OpenedPayment>;
  look(reference: string): Promise<PaymentState>;
  /** So that it can't be paid any more; answers what became of it, which may be that it was paid. */
  expire(reference: string): Promise<PaymentState>;
  refund(order: RefundOrder): Promise<RefundState>;
  readNotice(rawBody: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<Notice>;
}
