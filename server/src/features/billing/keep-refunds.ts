import type { PaymentProvider, RefundReport } from "../payment-providers/index.ts";
import type { KeepNeeds } from "./keep-payment.ts";
import type { Settle, RefundedFact } from "./settle.ts";
import type { Settled } from "./settled.ts";

interface Needs extends Pick<KeepNeeds, "log"> {
  readonly provider: Pick<PaymentProvider, "name" | "findRefunds">;
  readonly settle: Pick<Settle, "refunded">;
}

interface Seen extends Pick<RefundedFact, "notice" | "isAnswer"> {
  readonly checkoutId: string;
  /** The provider's id of the payment. */
  readonly reference: string;
  readonly report: RefundReport;
}

/** Each look follows a change, so the looks end with the changes. */
const maxLooks = 10;

/**
 * Stores what became of a payment's refunds. What was read may be overtaken before it is stored, by another process that
 * read and stored something newer: so whoever changed the books looks again.
 */
export const keepRefunds = async (
  { log, provider, settle }: Needs,
  { checkoutId, reference, report, ...seen }: Seen,
): Promise<Settled> => {
  const keep = (now: RefundReport, isAnswer: boolean) =>
    settle.refunded({
      checkout: { checkoutId },
      actor: { kind: "provider", provider: provider.name },
      ...seen,
      ...now,
      isAnswer,
    });
  const first = await keep(report, seen.isAnswer);
  let latest = first;
  for (let looks = 0; looks < maxLooks; looks += 1) {
    if (latest.kind === "refund_came_back")
      log.error({ checkout: checkoutId, provider: provider.name }, "refund came back");
    else if (latest.kind !== "refunded") break;
    const now = await provider.findRefunds(reference);
    if (!now) break;
    latest = await keep(now, false);
  }
  return first;
};
