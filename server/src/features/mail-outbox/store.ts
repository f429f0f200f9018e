import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Occasion } from "./occasion.ts";

export interface MailOrder {
  readonly importId: string;
  readonly occasion: Occasion;
  /** What the customer is needed for; "" for other occasions. */
  readonly about: string;
  /** The side whose sign-in the mail is about: each sign-in can expire once. */
  readonly side: string | null;
  /** The number of the change that the mail reports, where a run can have several. */
  readonly change: number | null;
}

/**
 * Orders a mail if the customer gave an address, within the transaction of the change that the mail reports. At most
 * one per occasion and run, or change.
 */
export const orderMail = async (
  tx: Transaction,
  { importId, occasion, about, side, change }: MailOrder,
): Promise<void> => {
  await sql`
    insert into mails (id, import_id, occasion, about, run_id, round)
    select ${newId("eml")}, a.import_id, ${occasion}, ${about},
      coalesce((select r.id from runs r where r.import_id = a.import_id order by r.import_id, r.number desc limit 1), ''),
      coalesce(${change}::integer,
        (select c.revision from connections c where c.import_id = a.import_id and c.side = ${side}), 0)
    from mail_addresses a where a.import_id = ${importId}
    on conflict do nothing`.execute(tx);
};

/** Deletes the address and the mails that were not sent yet. */
export const purgeMail = async (tx: Transaction, importId: string): Promise<void> => {
  await tx.deleteFrom("mails").where("importId", "=", importId).where("state", "=", "waiting").execute();
  await tx.deleteFrom("mailAddresses").where("importId", "=", importId).execute();
};

/** Deletes the addresses of imports that were completed or undone this many days ago and are idle since. */
export const eraseFinishedAddresses = async (db: Database, days: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from mail_addresses m using imports i
    where i.id = m.import_id and m.created_at < now() - make_interval(days => ${days}) and i.live_run is null
      and i.status in ('migration_completed', 'migration_cleaned')
      and (select max(a.at) from audit a where a.import_id = i.id and a.to_status = i.status
           and a.from_status <> i.status) < now() - make_interval(days => ${days})`.execute(db.sql);
  return Number(numAffectedRows);
};

/** Deletes mails that were sent or given up this many days ago. */
export const deleteOldMails = async (db: Database, days: number): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("mails")
    .where("endedAt", "<", sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
