/** One attempt of a customer to pay. */
export interface Checkout {
  readonly id: string;
  readonly importId: string;
  readonly quoteId: string;
  /** In minor units, without tax. */
  readonly amount: number;
  readonly currency: string;
  readonly provider: string;
  readonly reference: string | null;
  readonly url: string | null;
  readonly state: "opening" | "open" | "paid" | "expired" | "failed";
  readonly tax: number | null;
  readonly paidAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** Identifies a checkout: by Portage's id, or by the provider's reference. */
export type CheckoutName =
  | { readonly checkoutId: string }
  | { readonly provider: string; readonly reference: string; readonly checkoutId?: string | null };
