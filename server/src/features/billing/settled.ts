import type { RefundReason } from "../money/index.ts";

/** What became of a fact about money. */
export type Settled =
  | { readonly kind: "bought" | "refunded" }
  /** Owed back: it pays for nothing. */
  | { readonly kind: "due_back"; readonly reason: RefundReason }
  /** It was settled before, or changes nothing. */
  | { readonly kind: "known" }
  /** A refund of what we don't know to be paid: whoever tells must ask about the payment first. */
  | { readonly kind: "not_paid" }
  | { readonly kind: "unknown" };
