import type { Database, Transaction } from "../../platform/db.ts";
import type { DisputeState } from "../payment-providers/index.ts";
import { type Actor, lockImport, moveWithin } from "../imports/index.ts";
import {
  creditSponsor,
  findCountingPayment,
  insertRefund,
  type MoneyActor,
  oweBack,
  post,
} from "../billing-ledger/index.ts";
import type { Checkout, CheckoutName } from "./checkout.ts";
import { settleDispute } from "./settle-dispute.ts";
import { type RefundFact, settleRefund } from "./settle-refund.ts";
import type { Settled } from "./settled.ts";
import { whatPaymentMeans } from "./settle-payment.ts";
import { findCheckout, lockCheckout, savePaid } from "./store-checkouts.ts";
import { insertNotice, type NoticeName } from "./store-notices.ts";

interface Fact {
  readonly checkout: CheckoutName;
  readonly actor: MoneyActor;
  /** Absent: Portage polled the provider, no notice arrived. */
  readonly notice?: NoticeName;
}

export interface PaidFact extends Fact {
  /** What the customer paid, tax included. */
  readonly total: number;
  readonly tax: number;
  readonly paidAt: Date;
}

export type RefundedFact = Fact & RefundFact;

export interface DisputedFact extends Fact {
  readonly dispute: DisputeState;
}

/** Whether Portage now owes the money that the customer or the operator asked back. */
export type MoneyBack = { readonly kind: "owed" } | { readonly kind: "not_owed" };

export interface SettleNeeds {
  readonly db: Database;
  /** Absent: the real functions. Tests inject broken ones to see that the invariants catch them. */
  readonly means?: typeof whatPaymentMeans;
  readonly owe?: typeof oweBack;
}

/** The actor for the import's own audit log, with the person of the operator. */
const auditActor = (actor: MoneyActor): Actor =>
  actor.kind === "customer" || actor.kind === "operator" ? actor : { kind: "system" };

/** Applies facts about money to an import: each in one transaction, under the import's lock, and once. */
export const createSettle = ({ db, means = whatPaymentMeans, owe = oweBack }: SettleNeeds) => {
  const within = async (
    { checkout: name, notice }: Fact,
    work: (tx: Transaction, checkout: Checkout) => Promise<Settled>,
  ): Promise<Settled> => {
    const found = await findCheckout(db, name);
    if (!found) return { kind: "unknown" };
    return db.sql.transaction().execute(async (tx) => {
      await lockImport(tx, found.importId);
      if (notice) await insertNotice(tx, notice);
      return work(tx, await lockCheckout(tx, found.id));
    });
  };

  const paid = (fact: PaidFact): Promise<Settled> =>
    within(fact, async (tx, checkout) => {
      if (checkout.state === "paid") return { kind: "known" };
      const { total, tax, paidAt, actor } = fact;
      const { id, importId, currency } = checkout;
      const locked = await lockImport(tx, importId);
      if (!locked) throw new Error("Checkout references a missing import");
      const reference = "reference" in fact.checkout ? fact.checkout.reference : null;
      await savePaid(tx, id, { reference, tax, paidAt });
      const meaning = means(locked.state, { expected: checkout.amount, received: total - tax });
      const about = { importId, partnerId: locked.partnerId, currency, actor };
      if (meaning.kind === "due_back") {
        const { reason } = meaning;
        const refundId = await insertRefund(tx, { checkoutId: id, importId, amount: total, reason });
        await post(tx, {
          ...about,
          kind: "paid_in_vain",
          reference: `in_vain:${refundId}`,
          lines: [
            { account: "customer_due_back", amount: total },
            { account: "at_provider", amount: -total },
          ],
        });
        return { kind: "due_back", reason };
      }
      const moved = await moveWithin(
        tx,
        { type: "bought" },
        {
          importId,
          partnerId: null,
          actor: auditActor(actor),
          alongside: (inside) =>
            post(inside, {
              ...about,
              kind: "paid",
              reference: `paid:${id}`,
              lines: [
                { account: "customer_paid", amount: total - tax },
                { account: "tax", amount: tax },
                { account: "at_provider", amount: -total },
              ],
            }),
        },
      );
      if (moved.kind === "refused" || moved.kind === "missing")
        throw new Error("Import refused the transition for a payment that buys it");
      return { kind: "bought" };
    });

  const refunded = (fact: RefundedFact): Promise<Settled> =>
    within(fact, (tx, checkout) => settleRefund(tx, checkout, fact));

  const disputed = (fact: DisputedFact): Promise<Settled> =>
    within(fact, (tx, checkout) => settleDispute(tx, checkout, fact.dispute, fact.actor));

  /** The customer or the operator wants the money back: owed at once, sent by the worker. Credits a sponsor. */
  const giveBack = async (
    importId: string,
    reason: "not_completed" | "operator",
    actor: MoneyActor,
  ): Promise<MoneyBack> =>
    db.sql.transaction().execute(async (tx): Promise<MoneyBack> => {
      const locked = await lockImport(tx, importId);
      if (!locked) return { kind: "not_owed" };
      const about = { importId, partnerId: locked.partnerId, actor };
      // A live run is not refundable: it must stop first.
      const atRest = locked.state.liveRun === null || locked.state.liveRun === "undo";
      if (locked.state.bought) {
        const moved = await moveWithin(
          tx,
          { type: "refunded" },
          {
            importId,
            partnerId: null,
            actor: auditActor(actor),
            alongside: (inside) => owe(inside, { ...about, reason }),
          },
        );
        return { kind: moved.kind === "moved" ? "owed" : "not_owed" };
      }
      const credited = reason === "operator" && atRest && (await creditSponsor(tx, about));
      return { kind: credited ? "owed" : "not_owed" };
    });

  /** Whether the customer may ask for the money back now. */
  const mayGiveBack = (importId: string): Promise<boolean> =>
    db.sql.transaction().execute(async (tx) => {
      const locked = await lockImport(tx, importId);
      if (!locked?.state.bought || locked.state.liveRun !== null) return false;
      const payment = await findCountingPayment(tx, importId);
      return payment !== undefined && !payment.completed;
    });

  return { paid, refunded, disputed, giveBack, mayGiveBack };
};

export type Settle = ReturnType<typeof createSettle>;
