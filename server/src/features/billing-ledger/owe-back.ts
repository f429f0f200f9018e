import type { Transaction } from "../../platform/db.ts";
import { post } from "./ledger.ts";
import type { MoneyActor } from "./posting.ts";
import { type CountingPayment, findCountingPayment, findLateRefund, insertRefund } from "./store-owed.ts";

interface About {
  readonly importId: string;
  readonly partnerId: string;
  readonly actor: MoneyActor;
}

const isOwed = (
  reason: "closed" | "undone" | "not_completed" | "operator",
  { withinWindow, completed }: CountingPayment,
): boolean => {
  switch (reason) {
    case "operator":
      return true;
    case "undone":
      return withinWindow || !completed;
    case "closed":
    case "not_completed":
      return !completed;
  }
};

/**
 * Owes the customer their money, if the reason entitles them to it, and takes it out of `customer_paid` at once, so
 * that a later start counts as unpaid. The caller holds the import's lock and moves the state machine.
 */
export const oweBack = async (
  tx: Transaction,
  { reason, ...about }: About & { readonly reason: Parameters<typeof isOwed>[0] },
): Promise<boolean> => {
  const payment = await findCountingPayment(tx, about.importId);
  if (!payment || !isOwed(reason, payment)) return false;
  const { checkoutId, amount, tax, currency, given } = payment;
  const left = amount + tax - given;
  const id = await insertRefund(tx, { checkoutId, importId: about.importId, amount: left, reason });
  await post(tx, {
    ...about,
    kind: "refund_due",
    reference: `due:${id}`,
    currency,
    lines: [
      { account: "customer_paid", amount: -amount },
      { account: "tax", amount: -tax },
      { account: "goodwill", amount: given },
      { account: "customer_due_back", amount: left },
    ],
  });
  return true;
};

/** Posts a refund that arrived while the state machine could not take it; true: there was one. */
export const takeLateRefund = async (tx: Transaction, about: About): Promise<boolean> => {
  const late = await findLateRefund(tx, about.importId);
  if (!late) return false;
  return post(tx, {
    ...about,
    kind: "late_refund_taken",
    reference: `late_taken:${late.refundId}`,
    currency: late.currency,
    lines: [
      { account: "goodwill", amount: late.amount + late.tax },
      { account: "customer_paid", amount: -late.amount },
      { account: "tax", amount: -late.tax },
    ],
  });
};
