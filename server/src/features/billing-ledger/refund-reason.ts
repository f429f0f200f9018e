/** Why Portage refunds a payment. */
export type RefundReason =
  | "closed"
  | "undone"
  /** The customer asked, because the full migration never completed. */
  | "not_completed"
  | "paid_twice"
  | "sponsored"
  | "operator"
  /** The refund was made directly at the provider. */
  | "provider"
  | "wrong_amount";
