import type { Transaction } from "../../platform/db.ts";
import {
  chargeSponsor,
  creditSponsor,
  endCheckoutsSoon,
  oweBack,
  takeLateRefund,
} from "../billing-ledger/index.ts";
import { endsRun, type Step } from "./machine.ts";
import type { LockedImport } from "./store-changes.ts";
import type { ImportEvent } from "./state.ts";

/** From these events on no payment is needed, though a checkout may still be open. */
const needsNoPayment = ({ type }: ImportEvent) =>
  type === "bought" || type === "sponsorship_accepted" || type === "cancelled" || type === "archived";

/** The refund that follows at once, with its postings; false: nothing is owed. */
export type RefundToTry = (tx: Transaction) => Promise<boolean>;

/** Applies an event to the books, in its transaction; answers the refund to try after it. */
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
  // The provider refunded while the run was live: the refund counts from the run's end on.
  return endsRun(event) ? (within) => takeLateRefund(within, about) : null;
};
