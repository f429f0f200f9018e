import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

export interface InvoiceLine {
  readonly at: Date;
  readonly kind: "charge" | "credit";
  readonly importId: string;
  /** The partner's own id for the import. */
  readonly reference: string | null;
  readonly records: number | null;
  readonly package: string | null;
  /** In minor units; below zero for a credit. */
  readonly amount: number;
  readonly currency: string;
}

/** The billing ledger's entries of what a partner owes, of a month (UTC) such as 2026-11, oldest first. */
export const listInvoiceLines = async (
  db: Database,
  partnerId: string,
  month: string,
): Promise<readonly InvoiceLine[]> => {
  const firstDay = `${month}-01`;
  const { rows } = await sql<InvoiceLine>`
    select e.at, case when e.amount < 0 then 'credit' else 'charge' end as kind, e.import_id, i.reference,
      c.records, c.package ->> 'name' as package, e.amount, e.currency
    from money_entries e
      join money_postings p on p.id = e.posting_id
      join imports i on i.id = e.import_id
      left join sponsor_charges c
        on c.id = case when p.reference ~ '^(sponsored|credit):[0-9]+$' then split_part(p.reference, ':', 2)::bigint end
    where e.partner_id = ${partnerId} and e.account = 'partner_owes'
      and e.at >= (${firstDay}::timestamp at time zone 'UTC')
      and e.at < ((${firstDay}::timestamp + interval '1 month') at time zone 'UTC')
    order by e.at, e.id`.execute(db.sql);
  return rows;
};

export interface AccountBalance {
  readonly account: string;
  readonly currency: string;
  readonly amount: number;
}

/** The balance of each account: of one import, of one partner, or of all. */
export const listBalances = async (
  db: Database,
  { importId, partnerId }: { readonly importId: string | null; readonly partnerId: string | null },
): Promise<readonly AccountBalance[]> => {
  let balances = db.sql
    .selectFrom("moneyEntries")
    .select(["account", "currency", sql<number>`sum(amount)::bigint`.as("amount")])
    .groupBy(["account", "currency"])
    .orderBy("currency")
    .orderBy("account");
  if (importId !== null) balances = balances.where("importId", "=", importId);
  if (partnerId !== null) balances = balances.where("partnerId", "=", partnerId);
  return balances.execute();
};

export interface PostedLine {
  readonly at: Date;
  readonly kind: string;
  readonly reference: string;
  readonly account: string;
  readonly amount: number;
  readonly currency: string;
  readonly actor: { readonly kind: string };
}

/** The billing ledger's entries of one import, oldest first. */
export const listPosted = async (db: Database, importId: string): Promise<readonly PostedLine[]> => {
  const rows = await db.sql
    .selectFrom("moneyEntries as e")
    .innerJoin("moneyPostings as p", "p.id", "e.postingId")
    .select(["e.at", "p.kind", "p.reference", "e.account", "e.amount", "e.currency", "p.actor"])
    .where("e.importId", "=", importId)
    .orderBy("e.id")
    .execute();
  return rows as unknown as readonly PostedLine[];
};
