import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";

export interface NoticeName {
  readonly provider: string;
  readonly noticeId: string;
  readonly type: string;
}

/** Records a provider's notice; a repeated one changes nothing. */
export const insertNotice = async (on: Transaction | Database["sql"], notice: NoticeName): Promise<void> => {
  await on
    .insertInto("paymentNotices")
    .values(notice)
    .onConflict((conflict) => conflict.columns(["provider", "noticeId"]).doNothing())
    .execute();
};

/** Providers repeat a notice for days, not for months. */
export const deleteOldNotices = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("paymentNotices")
    .where("receivedAt", "<", sql<Date>`now() - interval '90 days'`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
