import { sql } from "kysely";
import type { Transaction } from "../../platform/db.ts";
import type { ChargePrice } from "./charge-price.ts";

/** Null: the import already has a charge without a credit. */
export const insertCharge = async (
  tx: Transaction,
  importId: string,
  partnerId: string,
): Promise<number | null> => {
  const { rows } = await sql<{ id: number }>`
    insert into sponsor_charges (import_id, partner_id) values (${importId}, ${partnerId})
    on conflict (import_id) where credited_at is null do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
};

export const findQuotedPrice = async (
  tx: Transaction,
  importId: string,
): Promise<ChargePrice | undefined> => {
  const row = await tx
    .selectFrom("quotes")
    .select(["id as quoteId", "records", "package", "amount", "currency"])
    .where("importId", "=", importId)
    .where("replacedAt", "is", null)
    .executeTakeFirst();
  return row as ChargePrice | undefined;
};

/** False: the charge already has a price, or a credit. */
export const savePrice = async (tx: Transaction, id: number, price: ChargePrice): Promise<boolean> => {
  const saved = await tx
    .updateTable("sponsorCharges")
    .set({ ...price, package: JSON.stringify(price.package), postedAt: sql`now()` })
    .where("id", "=", String(id))
    .where("postedAt", "is", null)
    .where("creditedAt", "is", null)
    .executeTakeFirst();
  return saved.numUpdatedRows === 1n;
};

export const saveCredit = async (tx: Transaction, id: number): Promise<void> => {
  await tx
    .updateTable("sponsorCharges")
    .set({ creditedAt: sql`now()` })
    .where("id", "=", String(id))
    .execute();
};
