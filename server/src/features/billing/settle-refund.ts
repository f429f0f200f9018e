import type { Transaction } from "../../platform/db.ts";
import type { RefundReport } from "../payment-providers/index.ts";
import { lockImport, moveWithin } from "../imports/index.ts";
import {
  findCountingPayment,
  findGivenBack,
  insertRefund,
  type MoneyActor,
  post,
} from "../billing-ledger/index.ts";
import type { Checkout } from "./checkout.ts";
import type { Settled } from "./settled.ts";
import { lockRefundOf, type Refund, saveRefund } from "./store-refunds.ts";

export interface RefundFact extends RefundReport {
  readonly actor: MoneyActor;
  /** It answers Portage's own request: a failure is that request's. */
  readonly isAnswer: boolean;
}

interface About {
  readonly importId: string;
  readonly partnerId: string;
  readonly currency: string;
  readonly actor: MoneyActor;
}

/** Money can leave and come back several times: each posting has a name of its own. The caller holds the import's lock. */
const refundsName = async (tx: Transaction, checkoutId: string) =>
  `refunds:${checkoutId}:${(await findGivenBack(tx, checkoutId)).postings + 1}`;

const movedBy = (more: number): Settled => {
  if (more === 0) return { kind: "known" };
  return { kind: more > 0 ? "refunded" : "refund_came_back" };
};

/** Posts what left the provider since the last posting, or came back to it: `more` is negative then. */
const postMoved = async (
  tx: Transaction,
  checkout: Checkout,
  more: number,
  about: About & { readonly kind: string; readonly from: "customer_due_back" | "goodwill" },
): Promise<void> => {
  const { from, ...posting } = about;
  await post(tx, {
    ...posting,
    reference: await refundsName(tx, checkout.id),
    lines: [
      { account: from, amount: -more },
      { account: "at_provider", amount: more },
    ],
  });
};

const stateOf = (
  refund: Refund,
  { state, isAnswer }: RefundFact,
  { owed, more }: { readonly owed: number; readonly more: number },
): Refund["state"] => {
  if (owed <= 0) return "done";
  // The bank returned it: the operator decides whether the same way is tried again.
  if (more < 0) return "failed";
  if (state.kind === "asked") return "asked";
  // Nothing is under way any more. An older failure says nothing about a refund that is only due.
  if (isAnswer || refund.state === "asked") return "failed";
  return more > 0 ? "due" : refund.state;
};

/** Stores what became of a refund that Portage owes; refunds made directly at the provider cover the debt, too. */
const ourOwn = async (
  tx: Transaction,
  checkout: Checkout,
  refund: Refund,
  fact: RefundFact,
  about: About,
): Promise<Settled> => {
  const { refunded, state } = fact;
  const before = refund.state === "done" ? 0 : refund.amount;
  const { given } = await findGivenBack(tx, checkout.id);
  const counted = state.kind === "done" ? before : 0;
  const more = refunded === null ? counted : refunded - given;
  const owed = before - more;
  const now = stateOf(refund, fact, { owed, more });
  if (more !== 0) {
    const kind = more < 0 ? "refund_came_back" : owed > 0 ? "given_in_part" : "refunded";
    await postMoved(tx, checkout, more, { ...about, kind, from: "customer_due_back" });
  }
  if (now !== refund.state || more !== 0)
    await saveRefund(tx, refund.id, {
      amount: owed > 0 ? owed : given + more,
      state: now,
      providerReference: state.reference,
    });
  return movedBy(more);
};

/**
 * Posts refunds made directly at the provider, and their return by the bank: a full refund makes the import unpaid, a
 * partial one is goodwill.
 */
const theirOwn = async (
  tx: Transaction,
  checkout: Checkout,
  { refunded, state }: RefundFact & { readonly refunded: number },
  about: About,
): Promise<Settled> => {
  const payment = await findCountingPayment(tx, checkout.importId);
  if (payment?.checkoutId !== checkout.id) return { kind: "known" };
  const { amount, tax, given } = payment;
  const total = amount + tax;
  if (refunded < total) {
    const more = refunded - given;
    const kind = more < 0 ? "refund_came_back" : "given_in_part";
    if (more !== 0) await postMoved(tx, checkout, more, { ...about, kind, from: "goodwill" });
    return movedBy(more);
  }
  const left = total - given;
  const write = (inside: Transaction) =>
    insertRefund(inside, {
      checkoutId: checkout.id,
      importId: checkout.importId,
      amount: refunded,
      reason: "provider",
      done: { reference: state.reference },
    });
  const moved = await moveWithin(
    tx,
    { type: "refunded" },
    {
      importId: checkout.importId,
      partnerId: null,
      actor: { kind: "system" },
      alongside: async (inside) => {
        await write(inside);
        return post(inside, {
          ...about,
          kind: "refunded_by_provider",
          reference: await refundsName(inside, checkout.id),
          lines: [
            { account: "customer_paid", amount: -amount },
            { account: "tax", amount: -tax },
            { account: "goodwill", amount: given },
            { account: "at_provider", amount: left },
          ],
        });
      },
    },
  );
  if (moved.kind === "moved") return { kind: "refunded" };
  // The run that the payment bought is live: the import stays paid until the run has ended.
  const id = await write(tx);
  await post(tx, {
    ...about,
    kind: "refunded_early",
    reference: `late:${id}`,
    lines: [
      { account: "at_provider", amount: left },
      { account: "goodwill", amount: -left },
    ],
  });
  return { kind: "refunded" };
};

/** Settles what the provider reports about a payment's refunds, under the import's lock. */
export const settleRefund = async (
  tx: Transaction,
  checkout: Checkout,
  fact: RefundFact,
): Promise<Settled> => {
  if (checkout.state !== "paid") return { kind: "not_paid" };
  const locked = await lockImport(tx, checkout.importId);
  if (!locked) throw new Error("Checkout references a missing import");
  const about: About = {
    importId: checkout.importId,
    partnerId: locked.partnerId,
    currency: checkout.currency,
    actor: fact.actor,
  };
  const { refunded } = fact;
  const refund = await lockRefundOf(tx, checkout.id);
  if (refund) return ourOwn(tx, checkout, refund, fact, about);
  return refunded === null ? { kind: "known" } : theirOwn(tx, checkout, { ...fact, refunded }, about);
};
