import { createManual, createStripe, type PaymentProvider } from "../features/payment-providers/index.ts";
import { isLoopback } from "../platform/is-loopback.ts";
import { createOutbound } from "../platform/outbound/index.ts";
import { Secret } from "../platform/secret.ts";
import { type Config, ConfigError } from "./config.ts";

export interface Payments {
  /** The provider of new purchases; null: customers can't buy. */
  readonly offered: PaymentProvider | null;
  /** All configured providers: after a switch, the previous one must still find and refund its payments. */
  readonly providers: readonly PaymentProvider[];
  close(): Promise<void>;
}

type Settings = Pick<
  Config,
  "PAYMENTS" | "STRIPE_SECRET_KEY" | "STRIPE_WEBHOOK_SECRET" | "STRIPE_API_URL" | "STRIPE_AUTOMATIC_TAX"
>;

const hostAndPort = ({ hostname, port, protocol }: URL) =>
  `${hostname}:${port === "" ? (protocol === "http:" ? 80 : 443) : port}`;

const readApiUrl = (text: string | undefined): URL | null => {
  if (text === undefined) return null;
  const url = new URL(text);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new ConfigError("STRIPE_API_URL must begin with https://: the key would be sent unencrypted.");
  if (url.pathname !== "/" || url.search !== "")
    throw new ConfigError("STRIPE_API_URL must have a host and port only.");
  return url;
};

/** Stripe, if its keys are set. It has its own connections, so that its allowed address applies to nothing else. */
const readStripe = (settings: Settings): { provider: PaymentProvider; close(): Promise<void> } | null => {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook } = settings;
  if (key === undefined && webhook === undefined) return null;
  if (key === undefined || webhook === undefined)
    throw new ConfigError(
      "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or neither.",
    );
  const apiUrl = readApiUrl(settings.STRIPE_API_URL);
  const outbound = createOutbound({ allow: apiUrl ? [hostAndPort(apiUrl)] : [] });
  const provider = createStripe({
    secretKey: new Secret(key),
    webhookSecret: new Secret(webhook),
    apiUrl: apiUrl?.origin ?? null,
    automaticTax: settings.STRIPE_AUTOMATIC_TAX === "true",
    outbound,
  });
  return { provider, close: () => outbound.close() };
};

/** Creates the payment providers that the environment configures. */
export const createPayments = (settings: Settings): Payments => {
  const stripe = readStripe(settings);
  if (settings.PAYMENTS === "stripe" && !stripe)
    throw new ConfigError("PAYMENTS is stripe: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET too.");
  const manual = createManual();
  const offered = { stripe: stripe?.provider ?? null, manual, none: null }[settings.PAYMENTS];
  return {
    offered,
    providers: [...(stripe ? [stripe.provider] : []), manual],
    close: async () => stripe?.close(),
  };
};
