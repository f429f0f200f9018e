import type { PaymentState } from "./provider.ts";

/** Whether a payment matches its order exactly: the currency, and the amount without tax to the minor unit. */
export const isWhatWasAsked = (
  asked: { readonly amount: number; readonly currency: string },
  { total, tax, currency }: Extract<PaymentState, { kind: "paid" }>,
): boolean => tax >= 0 && total - tax === asked.amount && currency.toLowerCase() === asked.currency;
