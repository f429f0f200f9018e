import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

/** Schedules the next poll of a checkout unless it has ended. */
export const putOffLook = async (db: Database, id: string, pauseMs: number): Promise<void> => {
  await db.sql
    .updateTable("checkouts")
    .set({ nextLookAt: sql<Date>`now() + ${Math.round(pauseMs)} * interval '1 millisecond'` })
    .where("id", "=", id)
    .where("nextLookAt", "is not", null)
    .execute();
};

/** Expires a checkout without a payment page: no customer can have paid it. False: another process was faster. */
export const giveUpOpening = async (db: Database, id: string): Promise<boolean> => {
  const expired = await db.sql
    .updateTable("checkouts")
    .set({ state: "expired", nextLookAt: null })
    .where("id", "=", id)
    .where("state", "=", "opening")
    .where("reference", "is", null)
    .executeTakeFirst();
  return expired.numUpdatedRows === 1n;
};
