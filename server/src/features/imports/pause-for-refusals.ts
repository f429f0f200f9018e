import type { Database, Transaction } from "../../platform/db.ts";
import { moveImport } from "./move.ts";
import { forgetWarning } from "./store-warnings.ts";

/** The subject of the warning `action_required` when a run rests because its destination refuses everything. */
export const refusalsNeedYou = "refusals";

/** Notifies the customer and the partner once, together with `pause`, which answers whether the run rests from now on. */
export const pauseForRefusals = async (
  db: Database,
  importId: string,
  message: string,
  pause: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> => {
  const moved = await moveImport(
    db,
    { type: "attention_required", reason: refusalsNeedYou, message },
    { importId, partnerId: null, actor: { kind: "system" }, alongside: pause },
  );
  return moved.kind === "moved";
};

/** A person has decided: the run goes on, or stops. */
export const forgetRefusals = (tx: Transaction, importId: string) =>
  forgetWarning(tx, importId, "action_required", refusalsNeedYou);
