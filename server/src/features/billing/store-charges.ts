import type { Family } from "@portage/contract";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

export interface UnpricedCharge {
  readonly id: number;
  readonly importId: string;
  readonly partnerId: string;
  readonly family: Family;
  /** Records now in the destination, by stream. */
  readonly items: Readonly<Record<string, number>>;
}

/** Completed sponsored migrations without a price, of partners for which a price book exists. */
export const listUnpricedCharges = async (
  db: Database,
  limit: number,
): Promise<readonly UnpricedCharge[]> => {
  const { rows } = await sql<UnpricedCharge>`
    select c.id, c.import_id, c.partner_id, i.family, i.items
    from sponsor_charges c join imports i on i.id = c.import_id
    where c.posted_at is null and c.credited_at is null and i.full_copy = 'all' and i.live_run is null
      and exists (select from price_books b where coalesce(b.partner_id, '') in (c.partner_id, '') and b.replaced_at is null)
    order by c.id limit ${limit}`.execute(db.sql);
  return rows;
};
