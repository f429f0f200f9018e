import {
  isWhatWasAsked,
  type PaymentNotice,
  type PaymentProvider,
  type PaymentState,
} from "../payment-providers/index.ts";
import type { Checkout } from "./checkout.ts";
import { type KeepNeeds, keepPayment } from "./keep-payment.ts";
import { keepRefunds } from "./keep-refunds.ts";
import type { Settle } from "./settle.ts";
import type { Settled } from "./settled.ts";
import { findCheckout } from "./store-checkouts.ts";
import { insertNotice, type NoticeName } from "./store-notices.ts";

interface Needs extends KeepNeeds {
  readonly provider: Pick<PaymentProvider, "name" | "find" | "findRefunds">;
  readonly settle: Pick<Settle, "paid" | "refunded" | "disputed">;
}

type MoneyNotice = Extract<PaymentNotice, { kind: "payment" | "refund" | "dispute" }>;

const settleNotice = async (
  { provider, ...needs }: Needs,
  { received, checkout, notice }: { received: MoneyNotice; checkout: Checkout; notice: NoticeName },
): Promise<Settled> => {
  const { reference } = received;
  const keep = (state: PaymentState) => keepPayment(needs, { checkout, reference, state, notice });
  if (received.kind === "payment") {
    if (received.state.kind !== "paid" || isWhatWasAsked(checkout, received.state))
      return keep(received.state);
    needs.log.error({ ...notice, checkout: checkout.id }, "notice amount differs from the checkout");
    return keep(await provider.find(reference));
  }
  const fact = {
    checkout: { checkoutId: checkout.id },
    notice,
    actor: { kind: "provider", provider: provider.name } as const,
  };
  const ofPaid = async (settle: () => Promise<Settled>) => {
    const settled = await settle();
    if (settled.kind !== "not_paid") return settled;
    // This notice arrived before the payment's.
    await keep(await provider.find(reference));
    return settle();
  };
  if (received.kind === "refund") {
    const report = await provider.findRefunds(reference);
    if (!report) return { kind: "known" };
    const seen = { checkoutId: checkout.id, reference, report, notice, isAnswer: false };
    return ofPaid(() => keepRefunds({ ...needs, provider }, seen));
  }
  let settled: Settled = { kind: "known" };
  for (const dispute of received.disputes) {
    const each = await ofPaid(() => needs.settle.disputed({ ...fact, dispute }));
    if (each.kind !== "known") settled = each;
    if (each.kind !== "disputed") continue;
    const { reference: id, kind, amount, currency } = dispute;
    const about = { import_id: checkout.importId, dispute: id, state: kind, amount, currency };
    needs.log.warn(about, "payment disputed");
    if (currency !== checkout.currency) needs.log.error(about, "disputed in another currency");
  }
  return settled;
};

/** A match by Portage's id alone may be another provider's checkout, or another payment. */
const isOf = (checkout: Checkout, provider: string, reference: string) =>
  checkout.provider === provider && (checkout.reference ?? reference) === reference;

/**
 * Settles a notice whose signature was verified; it may be late, repeated, out of order or about a foreign payment. It
 * compares the notice with our own row and polls the provider if the amount differs. On return the fact is committed.
 */
export const takeNotice =
  (needs: Needs) =>
  async (received: Exclude<PaymentNotice, { kind: "refused" }>): Promise<Settled> => {
    const { db, log, provider } = needs;
    if (received.kind === "other") return { kind: "known" };
    const { reference, noticeId, type } = received;
    const notice = { provider: provider.name, noticeId, type };
    const checkoutId = received.kind === "payment" ? received.checkoutId : null;
    const checkout = await findCheckout(db, { provider: provider.name, reference, checkoutId });
    if (!checkout || !isOf(checkout, provider.name, reference)) {
      log.info(notice, "notice for an unknown checkout");
      return { kind: "unknown" };
    }
    const settled = await settleNotice(needs, { received, checkout, notice });
    // Most facts store the notice in their own transaction; this covers facts that changed nothing.
    await insertNotice(db.sql, notice);
    log.info({ ...notice, checkout: checkout.id, settled: settled.kind }, "notice settled");
    return settled;
  };
