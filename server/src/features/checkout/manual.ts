import type { PaymentProvider } from "./provider.ts";

/**
 * Money that comes another way, such as an invoice: the operator notes it (`portage billing mark-paid`), and gives it
 * back. Nothing can be asked here, so nothing changes by asking.
 */
export const createManual = (): PaymentProvider => ({
  name: "manual",
  open: async ({ checkoutId }) => ({ reference: `manual:${checkoutId}`, url: null, expiresAt: null }),
  look: async () => ({ kind: "open" }),
  expire: async () => ({ kind: "expired" }),
  // It stays asked for until the operator says that it was done.
  refund: async ({ refundId }) => ({ kind: "asked", reference: `manual:${refundId}` }),
  readNotice: async () => ({ kind: "refused" }),
});
