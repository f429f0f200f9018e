import type { Transaction } from "../../platform/db.ts";
import { chargeSponsor, creditSponsor, endCheckoutsSoon, oweBack, takeLateRefund } from "../money/index.ts";
import { endsRun, type Step } from "./machine.ts";
import type { LockedImport } from "./store-changes.ts";
import type { ImportEvent } from "./state.ts";

/** From then on nobody is to pay, though another attempt may still be open. */
const needsNoPayment = ({ type }: ImportEvent) =>
  type === "bought" || type === "sponsorship_accepted" || type === "cancelled" || type === "archived";

/** What follows at once, together with what it does to the books; false: nothing is owed. */
export type RefundToTry = (tx: Transaction) => Promise<boolean>;

/** What an event means for money, in its own transaction; which refunds to try after it. */
export const moneyFor = async (
  tx: Transaction,
  { id: importId, partnerId, state: before }: LockedImport,
  event: ImportEvent,
  { state, effects }: Extract<Step, { kind: "moved" }>,
): Promise<RefundToTry | null> => {
  const about = { importId, partnerId, actor: { kind: "system" } } as const;
  if (needsNoPayment(event)) await endCheckoutsSoon(tx, importId);
  if (event.type === "full_started" && !before.bought) await chargeSponsor(tx, about);
  const refund = effects.find((effect) => effect.kind === "refund");
  if (refund?.because === "undone") await creditSponsor(tx, { ...about, unless: "completed" });
  if (!state.bought) return null;
  if (refund) {
    const reason = refund.because;
    return (within) => oweBack(within, { ...about, reason });
  }
  // Given back at the provider while the work was under way: from its end on it counts.
  return endsRun(event) ? (within) => takeLateRefund(within, about) : null;
};
