import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

/** What the provider said this long ago is fresh. */
const freshSeconds = 5;

/** Claims a poll of a checkout beside the regular ones. False: it has ended, or the last poll is fresh. */
export const startPoll = async (db: Database, id: string): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update checkouts set looked_at = now() where id = ${id} and next_look_at is not null
      and (looked_at is null or looked_at < now() - ${freshSeconds} * interval '1 second')`.execute(db.sql);
  return numAffectedRows === 1n;
};

/** Schedules the next poll of a checkout unless it has ended. */
export const schedulePoll = async (db: Database, id: string, pauseMs: number): Promise<void> => {
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
