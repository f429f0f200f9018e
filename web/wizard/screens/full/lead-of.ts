import type { WizardPurchase } from "@portage/contract/wizard";
import type { Decision } from "./who-pays.ts";

/** Nothing is for sale here, and waiting does not change that. */
export const cannotPay = (purchase: WizardPurchase | undefined): boolean =>
  purchase?.kind === "none" && (purchase.why === "not_offered" || purchase.why === "too_large");

/** What the page begins with. Whoever was declined is told of paying only where that can be done. */
export const leadOf = (
  decision: Decision,
  { blocked, purchase }: { readonly blocked: boolean; readonly purchase: WizardPurchase | undefined },
): Decision["kind"] | "blocked" | "declined" | "declinedOnly" | "buyOnly" => {
  if (decision.kind !== "buy") return blocked ? "blocked" : decision.kind;
  if (decision.declined) return purchase?.kind === "offer" ? "declined" : "declinedOnly";
  return cannotPay(purchase) ? "buyOnly" : "buy";
};
