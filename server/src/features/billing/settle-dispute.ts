import type { Transaction } from "../../platform/db.ts";
import { type MoneyActor, post } from "../billing-ledger/index.ts";
import type { DisputeState } from "../payment-providers/index.ts";
import { lockImport } from "../imports/index.ts";
import type { Checkout } from "./checkout.ts";
import type { Settled } from "./settled.ts";
import { lockDispute, saveDispute } from "./store-disputes.ts";

/**
 * Records a dispute, and posts what the customer's bank took back or returned, under the import's lock. The import stays
 * as it is: whether work that was done is taken back is the operator's decision, not the bank's.
 */
export const settleDispute = async (
  tx: Transaction,
  checkout: Checkout,
  dispute: DisputeState,
  actor: MoneyActor,
): Promise<Settled> => {
  if (checkout.state !== "paid") return { kind: "not_paid" };
  const locked = await lockImport(tx, checkout.importId);
  if (!locked) throw new Error("Checkout references a missing import");
  const { id: checkoutId, provider, importId } = checkout;
  const { reference, kind: state, reason, amount, currency, openedAt } = dispute;
  const before = await lockDispute(tx, provider, reference);
  // The billing ledger holds one currency per checkout and never converts.
  const withdrawn = dispute.isWithdrawn && currency === checkout.currency ? amount : 0;
  const more = withdrawn - (before?.withdrawn ?? 0);
  const postings = (before?.postings ?? 0) + (more === 0 ? 0 : 1);
  if (before?.state === state && more === 0) return { kind: "known" };
  if (more !== 0)
    await post(tx, {
      kind: more > 0 ? "dispute_withdrawn" : "dispute_returned",
      reference: `dispute:${provider}:${reference}:${postings}`,
      importId,
      partnerId: locked.partnerId,
      currency,
      actor,
      lines: [
        { account: "at_provider", amount: more },
        { account: "disputed", amount: -more },
      ],
    });
  const about = { provider, reference, checkoutId, importId };
  const row = { ...about, state, reason, amount, currency, withdrawn, postings, openedAt };
  await saveDispute(tx, row);
  return { kind: "disputed", state };
};
