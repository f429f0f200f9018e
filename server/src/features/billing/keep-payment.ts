import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { PaymentState } from "../payment-providers/index.ts";
import type { Checkout } from "./checkout.ts";
import type { Settle } from "./settle.ts";
import type { Settled } from "./settled.ts";
import { saveEnded } from "./store-checkouts.ts";
import type { NoticeName } from "./store-notices.ts";

export interface KeepNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly settle: Pick<Settle, "paid">;
}

interface Seen {
  readonly checkout: Pick<Checkout, "id" | "provider" | "currency">;
  readonly reference: string;
  readonly state: PaymentState;
  readonly notice?: NoticeName;
}

/** Stores the state of a payment; idempotent. `not_paid`: the currency differs, and the operator must look at it. */
export const keepPayment = async (
  { db, log, settle }: KeepNeeds,
  { checkout, reference, state, notice }: Seen,
): Promise<Settled> => {
  const { id, provider, currency } = checkout;
  if (state.kind === "open") return { kind: "known" };
  if (state.kind !== "paid") {
    await saveEnded(db, id, state.kind);
    return { kind: "known" };
  }
  // The billing ledger holds one currency per checkout and never converts.
  if (state.currency.toLowerCase() !== currency) {
    log.error({ checkout: id, provider }, "paid in another currency");
    return { kind: "not_paid" };
  }
  const { total, tax, paidAt } = state;
  const settled = await settle.paid({
    checkout: { provider, reference, checkoutId: id },
    total,
    tax,
    paidAt,
    actor: { kind: "provider", provider },
    ...(notice && { notice }),
  });
  log.info({ checkout: id, provider, settled: settled.kind }, "payment kept");
  return settled;
};
