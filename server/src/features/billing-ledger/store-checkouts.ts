import { sql } from "kysely";
import type { Transaction } from "../../platform/db.ts";

/** Makes the import's open checkouts due at once, so that the next money turn expires them. */
export const endCheckoutsSoon = async (tx: Transaction, importId: string): Promise<void> => {
  await tx
    .updateTable("checkouts")
    .set({ nextLookAt: sql<Date>`now()` })
    .where("importId", "=", importId)
    .where("state", "in", ["opening", "open"])
    .execute();
};
