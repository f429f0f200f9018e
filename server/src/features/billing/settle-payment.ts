import type { ImportState } from "../imports/index.ts";
import type { RefundReason } from "../billing-ledger/index.ts";

/** What a received payment does: it buys the import, or Portage owes it back. */
export type PaymentMeans =
  | { readonly kind: "buys" }
  | {
      readonly kind: "due_back";
      readonly reason: Extract<RefundReason, "closed" | "sponsored" | "paid_twice" | "wrong_amount">;
    };

/** The caller holds the import's lock: the current state decides, not the state when the payment began. */
export const whatPaymentMeans = (
  state: Pick<ImportState, "closed" | "sponsorship" | "bought">,
  { expected, received }: { readonly expected: number; readonly received: number },
): PaymentMeans => {
  if (state.closed !== null) return { kind: "due_back", reason: "closed" };
  if (state.bought) return { kind: "due_back", reason: "paid_twice" };
  if (state.sponsorship === "accepted") return { kind: "due_back", reason: "sponsored" };
  if (received !== expected) return { kind: "due_back", reason: "wrong_amount" };
  return { kind: "buys" };
};
