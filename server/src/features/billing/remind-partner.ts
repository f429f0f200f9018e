import type { Database } from "../../platform/db.ts";
import { isPaid, lockImport } from "../imports/index.ts";
import { writeNotice } from "../event-outbox/index.ts";
import { takeReminder } from "./store-sponsors.ts";

export type Reminded =
  | { readonly kind: "sent"; readonly sentAt: Date }
  | { readonly kind: "too_soon" }
  /** The import does not wait for the partner's decision. */
  | { readonly kind: "not_waiting" };

/** Sends the partner another event that the customer waits for its decision: at most once a day. */
export const remindPartner = (db: Database, importId: string): Promise<Reminded> =>
  db.sql.transaction().execute(async (tx): Promise<Reminded> => {
    const locked = await lockImport(tx, importId);
    if (!locked) return { kind: "not_waiting" };
    const { partnerId, state } = locked;
    if (state.closed !== null || !state.asked || isPaid(state) || state.sponsorship !== "undecided")
      return { kind: "not_waiting" };
    const sentAt = await takeReminder(tx, importId);
    if (sentAt === null) return { kind: "too_soon" };
    await writeNotice(tx, {
      partnerId,
      importId,
      type: "import.full_requested",
      status: state.status,
      previousStatus: null,
    });
    return { kind: "sent", sentAt };
  });
