import type { DisputeState } from "../payment-providers/index.ts";
import type { RefundReason } from "../billing-ledger/index.ts";

/** The result of settling a fact about money. */
export type Settled =
  | { readonly kind: "bought" | "refunded" }
  /** The customer's bank returned a refund: the money is at the provider again. */
  | { readonly kind: "refund_came_back" }
  /** The payment buys nothing; Portage owes it back. */
  | { readonly kind: "due_back"; readonly reason: RefundReason }
  | { readonly kind: "disputed"; readonly state: DisputeState["kind"] }
  /** Already settled, or without effect. */
  | { readonly kind: "known" }
  /** A refund or dispute of a payment that Portage has not recorded: the caller must poll the payment first. */
  | { readonly kind: "not_paid" }
  | { readonly kind: "unknown" };
