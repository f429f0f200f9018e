import { randomUUID } from "node:crypto";
import type {
  PaymentNotice,
  PaymentProvider,
  PaymentState,
  RefundReport,
} from "../../server/src/features/payment-providers/index.ts";

type SentNotice = Exclude<PaymentNotice, { kind: "refused" }>;

interface Refund {
  readonly reference: string;
  readonly session: Session;
  readonly amount: number;
  isReturned: boolean;
}

interface Session {
  readonly reference: string;
  readonly checkoutId: string;
  readonly amount: number;
  readonly tax: number;
  state: "open" | "paid" | "expired";
}

/** A payment provider with its own books, like a real one: its state is the truth, whatever ours says. */
export const createCashDesk = ({ taxPercent = 0 }: { taxPercent?: number } = {}) => {
  const sessions = new Map<string, Session>();
  const refunds: Refund[] = [];
  const notices: SentNotice[] = [];
  let looks = 0;

  const stateOf = ({ state, amount, tax }: Session): PaymentState =>
    state === "paid"
      ? { kind: "paid", total: amount + tax, tax, currency: "usd", paidAt: new Date() }
      : { kind: state };
  const find = (reference: string): Session => {
    const session = sessions.get(reference);
    if (!session) throw new Error("no such session");
    return session;
  };
  const tellPayment = (session: Session, state: PaymentState) =>
    notices.push({
      kind: "payment",
      noticeId: randomUUID(),
      type: state.kind,
      reference: session.reference,
      checkoutId: session.checkoutId,
      state,
    });
  const tellRefund = ({ reference }: Session) =>
    notices.push({ kind: "refund", noticeId: randomUUID(), type: "refund", reference });
  const ofSession = (session: Session) => refunds.filter((refund) => refund.session === session);
  const refundedOf = (session: Session) =>
    ofSession(session).reduce((sum, { amount, isReturned }) => sum + (isReturned ? 0 : amount), 0);
  const leftOf = (session: Session) => session.amount + session.tax - refundedOf(session);
  const reportOf = (session: Session): RefundReport | undefined => {
    const newest = ofSession(session).at(-1);
    if (!newest) return undefined;
    const { reference, isReturned } = newest;
    return { refunded: refundedOf(session), state: { kind: isReturned ? "failed" : "done", reference } };
  };
  const makeRefund = (session: Session, amount: number) => {
    refunds.push({ reference: `re_${randomUUID()}`, session, amount, isReturned: false });
    tellRefund(session);
  };

  const provider: PaymentProvider = {
    // A unique name, so that one story's loop does not query another story's provider.
    name: `cash-desk-${randomUUID()}`,
    open: async ({ checkoutId, amount }) => {
      const known = [...sessions.values()].find((each) => each.checkoutId === checkoutId);
      const session = known ?? {
        reference: `cs_${randomUUID()}`,
        checkoutId,
        amount,
        tax: Math.floor((amount * taxPercent) / 100),
        state: "open" as const,
      };
      sessions.set(session.reference, session);
      return {
        reference: session.reference,
        url: `https://pay.example/${session.reference}`,
        expiresAt: null,
      };
    },
    find: async (reference) => {
      looks += 1;
      return stateOf(find(reference));
    },
    expire: async (reference) => {
      const session = find(reference);
      if (session.state === "open") session.state = "expired";
      return stateOf(session);
    },
    refund: async ({ reference, total }) => {
      const session = find(reference);
      const missing = total - refundedOf(session);
      if (missing > leftOf(session)) return { refunded: null, state: { kind: "failed", reference: null } };
      if (missing > 0) makeRefund(session, missing);
      return reportOf(session) ?? { refunded: 0, state: { kind: "failed", reference: null } };
    },
    findRefunds: async (reference) => reportOf(find(reference)),
    readNotice: async () => ({ kind: "refused" }),
  };

  return {
    provider,
    sessions,
    /** How often it was asked about a payment. */
    looks: () => looks,
    /** All notices in the order of events; a test may deliver them in any order. */
    notices,
    pay: (reference: string) => {
      const session = find(reference);
      if (session.state !== "open") return false;
      session.state = "paid";
      tellPayment(session, stateOf(session));
      return true;
    },
    /** The provider declines a card; the customer may try another. */
    decline: (reference: string) => {
      const session = find(reference);
      if (session.state === "open") tellPayment(session, { kind: "failed" });
    },
    /** The operator refunds on the provider's own pages. */
    giveBack: (reference: string, amount: number) => {
      const session = find(reference);
      const most = leftOf(session);
      if (session.state === "paid" && most > 0) makeRefund(session, Math.min(amount, most));
    },
    /** The customer's bank returns a refund, whoever made it. */
    returnRefund: (pick: number) => {
      const given = refunds.filter(({ isReturned }) => !isReturned);
      const refund = given[pick % Math.max(1, given.length)];
      if (!refund) return;
      refund.isReturned = true;
      tellRefund(refund.session);
    },
    /** The balance of a customer's payments. */
    holds: (checkoutIds: ReadonlySet<string>) =>
      [...sessions.values()]
        .filter(({ checkoutId, state }) => state === "paid" && checkoutIds.has(checkoutId))
        .reduce((sum, session) => sum + leftOf(session), 0),
  };
};

export type CashDesk = ReturnType<typeof createCashDesk>;
