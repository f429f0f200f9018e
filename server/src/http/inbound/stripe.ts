import type { PaymentNotice, PaymentProvider } from "../../features/payment-providers/index.ts";
import { emptyOk, Problem } from "../answer.ts";
import { readBytes } from "../body.ts";
import type { Mounted } from "../server.ts";

interface Needs {
  readonly provider: Pick<PaymentProvider, "readNotice">;
  /** Resolves once the notice is stored in the database. */
  readonly take: (notice: Exclude<PaymentNotice, { kind: "refused" }>) => Promise<unknown>;
}

/** Stripe's webhooks are far smaller. */
const maxBytes = 256 * 1024;

/**
 * Stripe's webhook endpoint. A 200 means that the notice is stored; every earlier failure is an error, and Stripe
 * retries for three days.
 */
export const stripeInbound = ({ provider, take }: Needs): Mounted => ({
  method: "POST",
  path: "/inbound/stripe",
  answer: async ({ raw }) => {
    const signature = raw.headers["stripe-signature"];
    const notice = await provider.readNotice(await readBytes(raw, maxBytes), {
      "stripe-signature": typeof signature === "string" ? signature : undefined,
    });
    if (notice.kind === "refused")
      throw new Problem("bad_request", "The Stripe signature is missing, invalid or too old.");
    await take(notice);
    return emptyOk;
  },
});
