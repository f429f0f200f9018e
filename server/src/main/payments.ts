import { createManual, createStripe, type PaymentProvider } from "../features/checkout/index.ts";
import { createOutbound } from "../platform/outbound/index.ts";
import { Secret } from "../platform/secret.ts";
import { type Config, ConfigError } from "./config.ts";

export interface Payments {
  /** By whom customers buy from now on; null: it is not offered. */
  readonly offered: PaymentProvider | null;
  /** All that can be asked: also after another, money that one took must be found and given back. */
  readonly providers: readonly PaymentProvider[];
  close(): Promise<void>;
}

type Settings = Pick<
  Config,
  "PAYMENTS" | "STRIPE_SECRET_KEY" | "STRIPE_WEBHOOK_SECRET" | "STRIPE_API_URL" | "STRIPE_AUTOMATIC_TAX"
>;

const isLoopback = (host: string) =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

const hostAndPort = ({ hostname, port, protocol }: URL) =>
  `${hostname}:${port === "" ? (protocol === "http:" ? 80 : 443) : port}`;

const readApiUrl = (text: string | undefined): URL | null => {
  if (text === undefined) return null;
  const url = new URL(text);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new ConfigError("STRIPE_API_URL must begin with https://: the key would be sent in the open.");
  if (url.pathname !== "/" || url.search !== "")
    throw new ConfigError("STRIPE_API_URL must be a host and port alone.");
  return url;
};

/** Stripe, where its keys are set; it has connections of its own, so that nothing else profits from what it may call. */
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

/** How customers pay, by what the environment says. */
export const createPayments = (settings: Settings): Payments => {
  const stripe = readStripe(settings);
  if (settings.PAYMENTS === "stripe" && !stripe)
    throw new ConfigError("PAYMENTS is stripe: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, too.");
  const manual = createManual();
  const offered = { stripe: stripe?.provider ?? null, manual, none: null }[settings.PAYMENTS];
  return {
    offered,
    providers: [...(stripe ? [stripe.provider] : []), manual],
    close: async () => stripe?.close(),
  };
};
