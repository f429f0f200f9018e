import type { Notice, PaymentProvider } from "../../features/checkout/index.ts";
import { emptyOk, Problem } from "../answer.ts";
import { readBytes } from "../body.ts";
import type { Mounted } from "../server.ts";

interface Needs {
  readonly provider: Pick<PaymentProvider, "readNotice">;
  /** Returns when what it tells is in the database. */
  readonly take: (notice: Exclude<Notice, { kind: "refused" }>) => Promise<unknown>;
}

/** Stripe's own are far smaller. */
const mostBytes = 256 * 1024;

/**
 * Where Stripe tells us what happened. A yes means that it is kept; whatever goes wrong before that is an error, and
 * Stripe tells it again for three days.
 */
export const stripeInbound = ({ provider, take }: Needs): Mounted => ({
  method: "POST",
  path: "/inbound/stripe",
  answer: async ({ raw }) => {
    const signature = raw.headers["stripe-signature"];
    const notice = await provider.readNotice(await readBytes(raw, mostBytes), {
      "stripe-signature": typeof signature === "string" ? signature : undefined,
    });
    if (notice.kind === "refused")
      throw new Problem("bad_request", "This is not signed by Stripe, or too long ago.");
    await take(notice);
    return emptyOk;
  },
});
