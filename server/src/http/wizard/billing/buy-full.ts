import type { WizardBought, WizardBuy } from "@portage/contract/wizard";
import { z } from "zod";
import { buy, type Buying, findBook, pollCheckout } from "../../../features/billing/index.ts";
import type { PaymentProvider } from "../../../features/payment-providers/index.ts";
import { findPartner } from "../../../features/partners/index.ts";
import { type Answer, ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { PurchaseNeeds } from "./find-purchase.ts";

export interface BuyNeeds extends PurchaseNeeds {
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

const body = z.object({
  quoteId: z.string({ error: "is missing" }),
  packageId: z.string({ error: "is missing" }),
}) satisfies z.ZodType<WizardBuy>;

const refusals: Readonly<Record<Exclude<Buying["kind"], "open" | "other_under_way">, string>> = {
  paid_already: "This move is paid for already.",
  not_for_sale: "The full move can be bought once a sample is completed.",
  quote_expired: "This price has expired. Look at the new one first.",
  no_such_package: "This package does not cover all of your records. Choose one that does.",
};

const bought = (buying: Buying): Answer => {
  if (buying.kind === "other_under_way")
    throw new Problem("conflict", "Another payment is in progress. Finish it first, or try again later.");
  if (buying.kind !== "open") throw new Problem("conflict", refusals[buying.kind]);
  const { state, url } = buying.checkout;
  if (state === "paid") throw new Problem("conflict", refusals.paid_already);
  const answer: WizardBought = url === null ? { kind: "waiting" } : { kind: "redirect", url };
  return ok(answer);
};

/** Creates a checkout and returns the address of its payment page. */
export const buyFull = (needs: BuyNeeds): WizardRoute<WizardBuy> => ({
  method: "POST",
  path: "/purchase",
  isAttempt: "pay",
  body,
  handle: async ({ import: found, body: { quoteId, packageId } }) => {
    const { db, provider, providers, publicUrl } = needs;
    if (!provider) throw new Problem("conflict", "You can't buy anything here.");
    const partner = await findPartner(db, found.partnerId);
    if (partner?.payer === "partner") throw new Problem("conflict", refusals.paid_already);
    const page = `${publicUrl}/imports/${found.id}/full`;
    const open = (port: PaymentProvider) =>
      buy({ db, provider: port, findBook: (id) => findBook(db, id) })({
        importId: found.id,
        quoteId,
        packageId,
        description: `Full move to ${partner?.name ?? "the new tool"}`,
        paidUrl: (checkoutId) => `${page}?checkout=${checkoutId}`,
        leftUrl: page,
      });
    const first = await open(provider);
    if (first.kind !== "other_under_way") return bought(first);
    // The customer switched packages: close the other checkout, unless it is paid.
    const other = providers.find(({ name }) => name === first.checkout.provider);
    if (other) await pollCheckout({ ...needs, provider: other })(first.checkout, true);
    return bought(await open(provider));
  },
});
