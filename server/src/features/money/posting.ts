/**
 * Where money is said to be. On each, what came from there is above zero and what went there is below: a customer who
 * pays 100 is `customer_paid` +100 and `at_provider` -100.
 */
export type Account =
  /** An import is bought while this is above zero. */
  | "customer_paid"
  /** Came in, and is owed back. */
  | "customer_due_back"
  | "at_provider"
  /** Reckoned and handed on by the provider. */
  | "tax"
  /** Given back without being owed: what it paid for stays paid. */
  | "goodwill"
  | "partner_owes"
  | "sponsored_work";

/** Who made it so: kept with what they did. */
export type MoneyActor =
  | { readonly kind: "partner"; readonly partnerId: string }
  | { readonly kind: "rule"; readonly rule: string }
  | { readonly kind: "provider"; readonly provider: string }
  | { readonly kind: "customer" | "operator" | "system" };

export interface PostingLine {
  readonly account: Account;
  /** In minor units. */
  readonly amount: number;
}

export interface Posting {
  readonly kind: string;
  /** What happened, by name: posted again it is the same. */
  readonly reference: string;
  readonly importId: string;
  readonly partnerId: string;
  readonly currency: string;
  readonly actor: MoneyActor;
  readonly lines: readonly PostingLine[];
}
