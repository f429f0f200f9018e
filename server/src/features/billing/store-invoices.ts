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
  const { rows } = await db.pool.query<InvoiceLine>(
    `select e.at, case when e.amount < 0 then 'credit' else 'charge' end as kind, e.import_id as "importId", i.reference,
       c.records, c.package ->> 'name' as package, e.amount, e.currency
     from money_entries e
       join money_postings p on p.id = e.posting_id
       join imports i on i.id = e.import_id
       left join sponsor_charges c
         on c.id = case when p.reference ~ '^(sponsored|credit):[0-9]+$' then split_part(p.reference, ':', 2)::bigint end
     where e.partner_id = $1 and e.account = 'partner_owes'
       and e.at >= (($2 || '-01')::timestamp at time zone 'UTC')
       and e.at < ((($2 || '-01')::timestamp + interval '1 month') at time zone 'UTC')
     order by e.at, e.id`,
    [partnerId, month],
  );
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
  const { rows } = await db.pool.query<AccountBalance>(
    `select account, currency, sum(amount)::bigint as amount from money_entries
     where ($1::text is null or import_id = $1) and ($2::text is null or partner_id = $2)
     group by account, currency order by currency, account`,
    [importId, partnerId],
  );
  return rows;
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
  const { rows } = await db.pool.query<PostedLine>(
    `select e.at, p.kind, p.reference, e.account, e.amount, e.currency, p.actor
     from money_entries e join money_postings p on p.id = e.posting_id
     where e.import_id = $1 order by e.id`,
    [importId],
  );
  return rows;
};
