import type { WizardPurchase } from "@portage/contract/wizard";
import type { Decision } from "./who-pays.ts";

/** There is no offer, and waiting does not change that. */
export const cannotPay = (purchase: WizardPurchase | undefined): boolean =>
  purchase?.kind === "none" && (purchase.why === "not_offered" || purchase.why === "too_large");

/** The lead of the page. After a rejection it mentions paying only where that is possible. */
export const leadOf = (
  decision: Decision,
  { blocked, purchase }: { readonly blocked: boolean; readonly purchase: WizardPurchase | undefined },
): Decision["kind"] | "blocked" | "declined" | "declinedOnly" | "buyOnly" => {
  if (decision.kind !== "buy") return blocked ? "blocked" : decision.kind;
  if (decision.declined) return purchase?.kind === "offer" ? "declined" : "declinedOnly";
  return cannotPay(purchase) ? "buyOnly" : "buy";
};
