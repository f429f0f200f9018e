import { createStripe } from "../../server/src/features/payment-providers/index.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createOutbound } from "../../server/src/platform/outbound/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { startStripeDouble } from "./stripe-double.ts";

export const webhookSecret = "whsec_made_for_acme";

/** The double, and our own provider in front of it. */
export const createStripeFixture = async (settings: { readonly automaticTax?: boolean } = {}) => {
  const double = await startStripeDouble();
  const outbound = createOutbound({ allow: [new URL(double.url).host] });
  const stripe = createStripe({
    secretKey: new Secret(double.secretKey),
    webhookSecret: new Secret(webhookSecret),
    apiUrl: double.url,
    outbound,
    automaticTax: settings.automaticTax ?? false,
  });
  return {
    double,
    stripe,
    order: (changes: { readonly checkoutId?: string; readonly amount?: number } = {}) => ({
      checkoutId: newId("chk"),
      importId: newId("imp"),
      amount: 14_900,
      currency: "eur",
      description: "Migration to Acme, up to 10,000 tickets",
      paidUrl: "https://portage.example/paid",
      leftUrl: "https://portage.example/left",
      ...changes,
    }),
    close: async () => {
      await outbound.close();
      await double.close();
    },
  };
};
