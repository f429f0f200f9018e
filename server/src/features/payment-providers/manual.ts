import type { PaymentProvider } from "./provider.ts";

/**
 * Payments outside a provider, such as by invoice: the operator records them (`portage billing mark-paid`) and refunds
 * them. There is no provider to poll, so a poll changes nothing.
 */
export const createManual = (): PaymentProvider => ({
  name: "manual",
  open: async ({ checkoutId }) => ({ reference: `manual:${checkoutId}`, url: null, expiresAt: null }),
  find: async () => ({ kind: "open" }),
  expire: async () => ({ kind: "expired" }),
  // The refund stays requested until the operator marks it as done.
  refund: async ({ refundId }) => ({
    refunded: null,
    state: { kind: "asked", reference: `manual:${refundId}` },
  }),
  findRefunds: async () => undefined,
  readNotice: async () => ({ kind: "refused" }),
});
