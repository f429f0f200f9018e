import { isLoopback } from "../src/platform/is-loopback.ts";

const thisMachine = ["127.0.0.1:*", "localhost:*", "[::1]:*"];

/**
 * OUTBOUND_ALLOW and WEBHOOK_ALLOW in development: tools and receivers on this machine, on any port, beside those that the developer
 * allows. Not with a PUBLIC_URL elsewhere, such as that of a tunnel: then others could let the service call them.
 */
export const developmentAllowances = (publicUrl: string, given: string | undefined): string =>
  [...(given ? [given] : []), ...(isLoopback(new URL(publicUrl).hostname) ? thisMachine : [])].join(",");
