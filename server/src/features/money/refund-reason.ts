/** Why money goes back. */
export type RefundReason =
  | "closed"
  | "undone"
  /** The customer asked, as the full migration was never completed. */
  | "not_completed"
  | "paid_twice"
  | "sponsored"
  | "operator"
  /** The provider, or somebody there, did it by itself. */
  | "provider"
  | "wrong_amount";
