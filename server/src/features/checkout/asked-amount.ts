import type { PaymentState } from "./provider.ts";

/** Whether a payment is the one that was asked for: to the minor unit, in its currency, tax apart. */
export const isWhatWasAsked = (
  asked: { readonly amount: number; readonly currency: string },
  { total, tax, currency }: Extract<PaymentState, { kind: "paid" }>,
): boolean => tax >= 0 && total - tax === asked.amount && currency.toLowerCase() === asked.currency;
