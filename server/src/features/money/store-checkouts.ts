import { sql } from "kysely";
import type { Transaction } from "../../platform/db.ts";

/** An attempt to pay for what nobody is to pay any more is ended by the next who looks after money. */
export const endCheckoutsSoon = async (tx: Transaction, importId: string): Promise<void> => {
  await tx
    .updateTable("checkouts")
    .set({ nextLookAt: sql<Date>`now()` })
    .where("importId", "=", importId)
    .where("state", "in", ["opening", "open"])
    .execute();
};
