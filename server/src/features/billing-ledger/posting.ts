/**
 * The accounts of the billing ledger. Money that comes from an account is positive, money that goes to it negative: a
 * customer who pays 100 is `customer_paid` +100 and `at_provider` -100.
 */
export type LedgerAccount =
  /** An import is bought while this is above zero. */
  | "customer_paid"
  /** Received, and owed back. */
  | "customer_due_back"
  | "at_provider"
  /** The provider calculates it and passes it on. */
  | "tax"
  /** Refunded without being owed: the import stays paid. */
  | "goodwill"
  /** Taken back by the customer's bank, for good or until it decides. */
  | "disputed"
  | "partner_owes"
  | "sponsored_work";

/** Who caused a posting or a decision; stored with it. */
export type MoneyActor =
  | { readonly kind: "partner"; readonly partnerId: string }
  | { readonly kind: "rule"; readonly rule: string }
  | { readonly kind: "provider"; readonly provider: string }
  | { readonly kind: "operator"; readonly staffId?: string }
  | { readonly kind: "customer" | "system" };

export interface PostingLine {
  readonly account: LedgerAccount;
  /** In minor units. */
  readonly amount: number;
}

export interface Posting {
  readonly kind: string;
  /** Idempotency key of the fact: a second posting with it changes nothing. */
  readonly reference: string;
  readonly importId: string;
  readonly partnerId: string;
  readonly currency: string;
  readonly actor: MoneyActor;
  readonly lines: readonly PostingLine[];
}
