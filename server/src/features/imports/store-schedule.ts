import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";

/** `due`: the checks before the start are under way. `missed`: it could not start. A started one has no row. */
export type ScheduleState = "waiting" | "due" | "missed";

export interface Schedule {
  readonly startsAt: Date;
  readonly timeZone: string;
  readonly revision: number;
  readonly state: ScheduleState;
  /** Why it did not start: the reason of the attention that the import needs, or `unpaid`. */
  readonly missedBecause: string | null;
}

export const findSchedule = (
  on: Database["sql"] | Transaction,
  importId: string,
): Promise<Schedule | undefined> =>
  on
    .selectFrom("scheduledStarts")
    .select(["startsAt", "timeZone", "revision", "state", "missedBecause"])
    .where("importId", "=", importId)
    .executeTakeFirst() as Promise<Schedule | undefined>;

/** Sets or changes the time. The caller must hold the import's lock. */
export const saveSchedule = async (
  tx: Transaction,
  importId: string,
  { startsAt, timeZone }: Pick<Schedule, "startsAt" | "timeZone">,
): Promise<void> => {
  await sql`
    insert into scheduled_starts (import_id, starts_at, time_zone) values (${importId}, ${startsAt}, ${timeZone})
    on conflict (import_id) do update set starts_at = excluded.starts_at, time_zone = excluded.time_zone,
      revision = scheduled_starts.revision + 1, state = 'waiting', missed_because = null, reminded_at = null`.execute(
    tx,
  );
  // A plan is activity: the import is not idle.
  await tx.updateTable("imports").set({ activeAt: sql`now()` }).where("id", "=", importId).execute();
};

/** False: there is none. */
export const deleteSchedule = async (tx: Transaction, importId: string): Promise<boolean> => {
  const deleted = await tx.deleteFrom("scheduledStarts").where("importId", "=", importId).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
};

/** By the database's clock: the workers' clocks may differ. */
export const listDueSchedules = async (db: Database, limit: number): Promise<readonly string[]> => {
  const rows = await db.sql
    .selectFrom("scheduledStarts")
    .select("importId")
    .where("state", "=", "waiting")
    .where("startsAt", "<=", sql<Date>`now()`)
    .orderBy("startsAt")
    .limit(limit)
    .execute();
  return rows.map(({ importId }) => importId);
};

/** Takes up a start that is due. False: another worker has, or the customer changed or cancelled it. */
export const takeDue = async (tx: Transaction, importId: string): Promise<boolean> => {
  const taken = await tx
    .updateTable("scheduledStarts")
    .set({ state: "due" })
    .where("importId", "=", importId)
    .where("state", "=", "waiting")
    .where("startsAt", "<=", sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
};

/** Records that a start did not happen. False: none was to happen. */
export const missSchedule = async (
  tx: Transaction,
  importId: string,
  because: string,
  states: readonly ScheduleState[],
): Promise<boolean> => {
  const missed = await tx
    .updateTable("scheduledStarts")
    .set({ state: "missed", missedBecause: because })
    .where("importId", "=", importId)
    .where("state", "in", [...states])
    .executeTakeFirst();
  return missed.numUpdatedRows === 1n;
};

/** Those whose customers hear of the start now. */
export const listToRemind = async (
  db: Database,
  beforeMs: number,
  limit: number,
): Promise<readonly string[]> => {
  const rows = await db.sql
    .selectFrom("scheduledStarts")
    .select("importId")
    .where("state", "=", "waiting")
    .where("remindedAt", "is", null)
    .where("startsAt", "<=", sql<Date>`now() + ${beforeMs} * interval '1 ms'`)
    .orderBy("startsAt")
    .limit(limit)
    .execute();
  return rows.map(({ importId }) => importId);
};

/** Undefined: another worker has reminded, or the customer changed or cancelled it. */
export const markReminded = (tx: Transaction, importId: string, beforeMs: number) =>
  tx
    .updateTable("scheduledStarts")
    .set({ remindedAt: sql`now()` })
    .where("importId", "=", importId)
    .where("state", "=", "waiting")
    .where("remindedAt", "is", null)
    .where("startsAt", "<=", sql<Date>`now() + ${beforeMs} * interval '1 ms'`)
    .returning(["startsAt", "timeZone", "revision"])
    .executeTakeFirst();
