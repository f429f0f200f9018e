import { randomBytes } from "node:crypto";

export interface SessionOrder {
  readonly mode?: string;
  readonly success_url: string;
  readonly cancel_url?: string;
  readonly client_reference_id?: string;
  readonly customer_email?: string;
  readonly expires_at?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly automatic_tax?: { readonly enabled: boolean };
  readonly payment_intent_data?: { readonly metadata?: Readonly<Record<string, string>> };
  readonly line_items?: readonly {
    readonly quantity?: number;
    readonly price_data?: {
      readonly currency: string;
      readonly unit_amount?: number;
      readonly product_data?: { readonly name: string };
    };
  }[];
}

export interface Session {
  readonly id: string;
  readonly order: SessionOrder;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly currency: string;
  readonly amount: number;
  readonly tax: number;
  status: "open" | "complete" | "expired";
  paymentStatus: "unpaid" | "paid";
  paymentIntent: string | null;
}

export interface PaymentIntent {
  readonly id: string;
  readonly charge: string;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  status: "processing" | "succeeded" | "requires_payment_method";
  refunded: number;
}

export interface Refund {
  readonly id: string;
  readonly intent: PaymentIntent;
  readonly amount: number;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  status: "pending" | "succeeded" | "failed";
}

export interface Dispute {
  readonly id: string;
  readonly intent: PaymentIntent;
  readonly amount: number;
  readonly reason: string;
  readonly createdAt: number;
  status: "warning_needs_response" | "warning_closed" | "needs_response" | "under_review" | "won" | "lost";
  /** What the vendor took from the account, negative, and returned. */
  readonly moved: number[];
}

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: number;
  /** The object at the time of the event. */
  readonly object: object;
}

export const newVendorId = (prefix: string): string => `${prefix}_test_${randomBytes(12).toString("hex")}`;

export const secondsNow = (): number => Math.floor(Date.now() / 1000);

const secondsPerDay = 86_400;
/** The vendor's own limits of `expires_at`. */
const shortestSeconds = 30 * 60;

/** An error that the vendor answers. */
export class Refused extends Error {
  readonly code: string | null;
  readonly type: string;
  readonly status: number;
  constructor(message: string, code: string | null = null, type = "invalid_request_error", status = 400) {
    super(message);
    this.code = code;
    this.type = type;
    this.status = status;
  }
}

/** The account's state and operations. Tax: a fifth of the price, if automatic tax is on. */
export const createAccount = () => {
  const sessions = new Map<string, Session>();
  const intents = new Map<string, PaymentIntent>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  return {
    sessions,
    intents,
    refunds,
    disputes,
    openSession: (order: SessionOrder): Session => {
      const [item, ...more] = order.line_items ?? [];
      const price = item?.price_data;
      if (order.mode !== "payment" || more.length > 0 || price?.unit_amount === undefined)
        throw new Refused("The double takes one line item with price_data, mode payment.");
      const createdAt = secondsNow();
      const expiresAt = order.expires_at ?? createdAt + secondsPerDay;
      if (expiresAt < createdAt + shortestSeconds - 60 || expiresAt > createdAt + secondsPerDay + 60)
        throw new Refused("The expires_at timestamp must be between 30 minutes and 24 hours from now.");
      const subtotal = price.unit_amount * (item?.quantity ?? 1);
      const tax = order.automatic_tax?.enabled ? Math.round(subtotal / 5) : 0;
      const session: Session = {
        id: newVendorId("cs"),
        order,
        createdAt,
        expiresAt,
        tax,
        paymentIntent: null,
        currency: price.currency,
        amount: subtotal,
        status: "open",
        paymentStatus: "unpaid",
      };
      sessions.set(session.id, session);
      return session;
    },
    /** A customer pays on the page; a payment that takes days is `processing` first. */
    pay: (session: Session, how: "at once" | "in some days"): PaymentIntent => {
      if (session.status !== "open") throw new Refused("This Checkout Session is no longer open.");
      const intent: PaymentIntent = {
        id: newVendorId("pi"),
        charge: newVendorId("ch"),
        currency: session.currency,
        refunded: 0,
        amount: session.amount + session.tax,
        createdAt: secondsNow(),
        metadata: session.order.payment_intent_data?.metadata ?? {},
        status: how === "at once" ? "succeeded" : "processing",
      };
      intents.set(intent.id, intent);
      session.paymentIntent = intent.id;
      session.status = "complete";
      session.paymentStatus = how === "at once" ? "paid" : "unpaid";
      return intent;
    },
    refund: (order: {
      payment_intent?: string;
      amount?: number;
      reason?: string;
      metadata?: Readonly<Record<string, string>>;
    }): Refund => {
      const intent = intents.get(order.payment_intent ?? "");
      if (!intent) throw new Refused("No such payment_intent.", "resource_missing", undefined, 404);
      const left = intent.amount - intent.refunded;
      if (left === 0) throw new Refused("The charge has already been refunded.", "charge_already_refunded");
      const isDisputed = ({ intent: of, status }: Dispute) =>
        of === intent && !["won", "warning_closed", "warning_needs_response"].includes(status);
      if ([...disputes.values()].some(isDisputed))
        throw new Refused("The charge has been charged back; cannot issue a refund.", "charge_disputed");
      if (intent.status !== "succeeded") throw new Refused("This PaymentIntent has no successful charge.");
      const amount = order.amount ?? left;
      if (amount <= 0 || amount > left) throw new Refused("The refund is greater than what is left.");
      const refund: Refund = {
        id: newVendorId("re"),
        intent,
        amount,
        createdAt: secondsNow(),
        status: "succeeded",
        reason: order.reason ?? null,
        metadata: order.metadata ?? {},
      };
      intent.refunded += amount;
      refunds.set(refund.id, refund);
      return refund;
    },
    /** A customer disputes a payment at their bank; an inquiry takes no money yet. */
    dispute: (intent: PaymentIntent, how: "inquiry" | "chargeback"): Dispute => {
      const dispute: Dispute = {
        id: newVendorId("dp"),
        intent,
        amount: intent.amount,
        reason: "fraudulent",
        createdAt: secondsNow(),
        status: how === "inquiry" ? "warning_needs_response" : "needs_response",
        moved: how === "inquiry" ? [] : [-intent.amount],
      };
      disputes.set(dispute.id, dispute);
      return dispute;
    },
  };
};

export type Account = ReturnType<typeof createAccount>;
