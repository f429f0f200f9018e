import type { Database } from "../../platform/db.ts";
import { type Actor, type Moved, moveImport } from "../imports/index.ts";
import { insertDecision } from "./store-sponsors.ts";

interface Deciding {
  readonly importId: string;
  /** Null: the operator, who may decide for any partner. */
  readonly partnerId: string | null;
  readonly decision: "accepted" | "rejected";
  readonly actor: Extract<Actor, { kind: "partner" | "operator" }>;
}

/** Moves the import and records who decided, in one transaction. A repeated decision records nothing more. */
export const decideSponsorship = (
  db: Database,
  { importId, partnerId, decision, actor }: Deciding,
): Promise<Moved> =>
  moveImport(
    db,
    { type: decision === "accepted" ? "sponsorship_accepted" : "sponsorship_rejected" },
    {
      importId,
      partnerId,
      actor,
      alongside: async (tx, before) => {
        const counts = before.sponsorship !== decision && !(decision === "accepted" && before.bought);
        if (counts) await insertDecision(tx, { importId, decision, actor, rule: null });
        return true;
      },
    },
  );
