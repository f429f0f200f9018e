import { randomUUID } from "node:crypto";
import type {
  PaymentNotice,
  PaymentProvider,
  PaymentState,
} from "../../server/src/features/checkout/index.ts";

type SentNotice = Exclude<PaymentNotice, { kind: "refused" }>;

interface Session {
  readonly reference: string;
  readonly checkoutId: string;
  readonly amount: number;
  readonly tax: number;
  state: "open" | "paid" | "expired";
  refunded: number;
}

/** A payment provider with its own books, like a real one: its state is the truth, whatever ours says. */
export const createCashDesk = ({ taxPercent = 0 }: { taxPercent?: number } = {}) => {
  const sessions = new Map<string, Session>();
  const refunds = new Map<string, string>();
  const notices: SentNotice[] = [];

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
  const tellRefund = (session: Session, reference: string) =>
    notices.push({
      kind: "refund",
      noticeId: randomUUID(),
      type: "refund",
      reference: session.reference,
      refunded: session.refunded,
      state: { kind: "done", reference },
    });

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
        refunded: 0,
      };
      sessions.set(session.reference, session);
      return {
        reference: session.reference,
        url: `https://pay.example/${session.reference}`,
        expiresAt: null,
      };
    },
    look: async (reference) => stateOf(find(reference)),
    expire: async (reference) => {
      const session = find(reference);
      if (session.state === "open") session.state = "expired";
      return stateOf(session);
    },
    refund: async ({ refundId, reference, amount }) => {
      const session = find(reference);
      const known = refunds.get(refundId);
      if (known !== undefined) return { kind: "done", reference: known };
      if (session.refunded + amount > session.amount + session.tax)
        return { kind: "failed", reference: null };
      session.refunded += amount;
      const made = `re_${randomUUID()}`;
      refunds.set(refundId, made);
      tellRefund(session, made);
      return { kind: "done", reference: made };
    },
    readNotice: async () => ({ kind: "refused" }),
  };

  return {
    provider,
    sessions,
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
      const most = session.amount + session.tax - session.refunded;
      if (session.state !== "paid" || most === 0) return;
      session.refunded += Math.min(amount, most);
      tellRefund(session, `re_${randomUUID()}`);
    },
    /** The balance of a customer's payments. */
    holds: (checkoutIds: ReadonlySet<string>) =>
      [...sessions.values()]
        .filter(({ checkoutId, state }) => state === "paid" && checkoutIds.has(checkoutId))
        .reduce((sum, { amount, tax, refunded }) => sum + amount + tax - refunded, 0),
  };
};

export type CashDesk = ReturnType<typeof createCashDesk>;
