import { isWhatWasAsked, type Notice, type PaymentProvider, type PaymentState } from "../checkout/index.ts";
import type { Checkout } from "./checkout.ts";
import { type KeepNeeds, keepPayment } from "./keep-payment.ts";
import type { Settle } from "./settle.ts";
import type { Settled } from "./settled.ts";
import { findCheckout } from "./store-checkouts.ts";
import { insertNotice, type NoticeName } from "./store-notices.ts";

interface Needs extends KeepNeeds {
  readonly provider: Pick<PaymentProvider, "name" | "look">;
  readonly settle: Pick<Settle, "paid" | "refunded">;
}

type Told = Extract<Notice, { kind: "payment" | "refund" }>;

const settleTold = async (
  { provider, ...needs }: Needs,
  { told, checkout, notice }: { told: Told; checkout: Checkout; notice: NoticeName },
): Promise<Settled> => {
  const { reference } = told;
  const keep = (state: PaymentState) => keepPayment(needs, { checkout, reference, state, notice });
  if (told.kind === "payment") {
    if (told.state.kind !== "paid" || isWhatWasAsked(checkout, told.state)) return keep(told.state);
    needs.log.error({ ...notice, checkout: checkout.id }, "notice of another amount");
    return keep(await provider.look(reference));
  }
  const fact = {
    checkout: { checkoutId: checkout.id },
    refunded: told.refunded,
    state: told.state,
    notice,
    actor: { kind: "provider", provider: provider.name } as const,
  };
  const settled = await needs.settle.refunded(fact);
  if (settled.kind !== "not_paid") return settled;
  // It overtook the payment that it is about.
  await keep(await provider.look(reference));
  return needs.settle.refunded(fact);
};

/** By our own id alone it may be another provider's, or another payment's. */
const isOf = (checkout: Checkout, provider: string, reference: string) =>
  checkout.provider === provider && (checkout.reference ?? reference) === reference;

/**
 * Settles what a provider told, whose signature was checked: late, repeated, in another order than it happened, or about
 * somebody else's money. It is held against our own row, and a payment that is not the one that was asked for is asked
 * about anew. When this has answered, the fact is committed.
 */
export const takeNotice =
  (needs: Needs) =>
  async (told: Exclude<Notice, { kind: "refused" }>): Promise<Settled> => {
    const { db, log, provider } = needs;
    if (told.kind === "other") return { kind: "known" };
    const { reference, noticeId, type } = told;
    const notice = { provider: provider.name, noticeId, type };
    const checkoutId = told.kind === "payment" ? told.checkoutId : null;
    const checkout = await findCheckout(db, { provider: provider.name, reference, checkoutId });
    if (!checkout || !isOf(checkout, provider.name, reference)) {
      log.info(notice, "notice of no checkout");
      return { kind: "unknown" };
    }
    const settled = await settleTold(needs, { told, checkout, notice });
    // Most facts keep it in their own transaction; of those that changed nothing it is kept here.
    await insertNotice(db.sql, notice);
    log.info({ ...notice, checkout: checkout.id, settled: settled.kind }, "notice taken");
    return settled;
  };
