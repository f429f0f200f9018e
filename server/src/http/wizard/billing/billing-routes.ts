import type { WizardReminded, WizardReturned } from "@portage/contract/wizard";
import { z } from "zod";
import { findCheckout, pollCheckout, remindPartner, startPoll } from "../../../features/billing/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { buyFull, type BuyNeeds } from "./buy-full.ts";
import { findPurchase } from "./find-purchase.ts";

const showPurchase = (needs: BuyNeeds): WizardRoute => ({
  method: "GET",
  path: "/purchase",
  handle: async ({ import: { id } }) => ok(await findPurchase(needs, id)),
});

const returned = z.object({
  checkoutId: z.string({ error: "is missing" }),
}) satisfies z.ZodType<WizardReturned>;

/**
 * The customer returns from the payment page: ask the provider now, because its webhook may come later. A request right
 * after another look gets what that one found.
 */
const returnFromCheckout = (needs: BuyNeeds): WizardRoute<WizardReturned> => ({
  method: "POST",
  path: "/purchase/return",
  body: returned,
  handle: async ({ import: { id }, body: { checkoutId } }) => {
    const { db, providers } = needs;
    const checkout = await findCheckout(db, { checkoutId });
    // A checkout of another import counts as missing.
    if (checkout?.importId !== id) throw new Problem("not_found", "There is no such payment.");
    const provider = providers.find(({ name }) => name === checkout.provider);
    if (provider && (await startPoll(db, checkoutId))) await pollCheckout({ ...needs, provider })(checkout);
    return ok(await findPurchase(needs, id));
  },
});

const askForRefund = (needs: BuyNeeds): WizardRoute => ({
  method: "POST",
  path: "/purchase/refund",
  handle: async ({ import: { id } }) => {
    const given = await needs.settle.giveBack(id, "not_completed", { kind: "customer" });
    if (given.kind === "not_owed")
      throw new Problem(
        "conflict",
        "There is nothing to refund: the move is running or completed, or you have not paid.",
      );
    return ok(await findPurchase(needs, id));
  },
});

const remind = ({ db }: BuyNeeds): WizardRoute => ({
  method: "POST",
  path: "/remind-partner",
  handle: async ({ import: { id } }) => {
    const reminded = await remindPartner(db, id);
    if (reminded.kind === "too_soon")
      throw new Problem("conflict", "A reminder was sent within the last day.");
    if (reminded.kind === "not_waiting") throw new Problem("conflict", "The partner has nothing to decide.");
    return ok({ sentAt: reminded.sentAt.toISOString() } satisfies WizardReminded);
  },
});

/** The price of the full move, and its payment. */
export const wizardBillingRoutes = (needs: BuyNeeds): readonly WizardRoute[] => [
  showPurchase(needs),
  buyFull(needs),
  returnFromCheckout(needs),
  askForRefund(needs),
  remind(needs),
];
