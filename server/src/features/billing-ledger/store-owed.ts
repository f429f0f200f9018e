import { sql } from "kysely";
import type { Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { RefundReason } from "./refund-reason.ts";

/** Whether a full migration has been completed since then. */
const completedSince = (since: ReturnType<typeof sql>) => sql<boolean>`exists (
  select from audit a where a.import_id = c.import_id and a.to_status = 'migration_completed'
    and a.event ->> 'type' = 'run_done' and a.at >= ${since})`;

/** A payment's refunds in the books, of `c.id`: each posting's reference names the payment or its refund. */
const refundPostings = sql`
  from money_entries e join money_postings p on p.id = e.posting_id
  where e.import_id = c.import_id and e.account = 'at_provider' and p.kind in ('given_in_part', 'refunded',
      'refund_came_back', 'refunded_by_provider', 'refunded_early')
    and split_part(p.reference, ':', 2) in (select c.id union all select r.id from refunds r where r.checkout_id = c.id)`;

/** What the customer has got back of the payment `c`, less what the bank returned. */
export const givenBack = sql<number>`(select coalesce(sum(e.amount), 0)::bigint ${refundPostings})`;

export interface CountingPayment {
  readonly checkoutId: string;
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
  readonly withinWindow: boolean;
  readonly completed: boolean;
  /** Refunded directly at the provider, without being owed, and not returned. */
  readonly given: number;
}

/** The payment that buys the import: paid, and not owed back. The caller must hold the import's lock. */
export const findCountingPayment = async (
  tx: Transaction,
  importId: string,
): Promise<CountingPayment | undefined> => {
  const { rows } = await sql<CountingPayment>`
    select c.id as checkout_id, c.amount, coalesce(c.tax, 0) as tax, c.currency,
      now() < c.paid_at + make_interval(days => b.refund_days) as within_window,
      ${completedSince(sql`c.paid_at`)} as completed,
      ${givenBack} as given
    from checkouts c join quotes q on q.id = c.quote_id join price_books b on b.id = q.price_book_id
    where c.import_id = ${importId} and c.state = 'paid' and not exists (select from refunds r where r.checkout_id = c.id)`.execute(
    tx,
  );
  return rows[0];
};

/** What the customer has got back of a payment, and by how many postings. The caller must hold the import's lock. */
export const findGivenBack = async (
  tx: Transaction,
  checkoutId: string,
): Promise<{ given: number; postings: number }> => {
  const { rows } = await sql<{ given: number; postings: number }>`
    select ${givenBack} as given, (select count(*) ${refundPostings}) as postings
    from checkouts c where c.id = ${checkoutId}`.execute(tx);
  return rows[0] ?? { given: 0, postings: 0 };
};

export interface NewRefund {
  readonly checkoutId: string;
  readonly importId: string;
  readonly amount: number;
  readonly reason: RefundReason;
  /** Set for a refund that was made directly at the provider. */
  readonly done?: { readonly reference: string | null };
}

export const insertRefund = async (
  tx: Transaction,
  { checkoutId, importId, amount, reason, done }: NewRefund,
): Promise<string> => {
  const id = newId("ref");
  await tx
    .insertInto("refunds")
    .values({
      id,
      checkoutId,
      importId,
      amount,
      reason,
      ...(done && {
        state: "done",
        providerReference: done.reference,
        nextAttemptAt: null,
        doneAt: sql<Date>`now()`,
      }),
    })
    .execute();
  return id;
};

export interface LateRefund {
  readonly refundId: string;
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
}

/** A refund at the provider that arrived while the state machine could not take it. */
export const findLateRefund = async (tx: Transaction, importId: string): Promise<LateRefund | undefined> => {
  const { rows } = await sql<LateRefund>`
    select r.id as refund_id, c.amount, coalesce(c.tax, 0) as tax, c.currency
    from refunds r join checkouts c on c.id = r.checkout_id join money_postings p on p.reference = 'late:' || r.id
    where r.import_id = ${importId}
      and not exists (select from money_postings t where t.reference = 'late_taken:' || r.id)`.execute(tx);
  return rows[0];
};

export interface SponsorCharge {
  readonly id: number;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly completed: boolean;
}

/** Locks the import's charge without a credit. */
export const lockCharge = async (tx: Transaction, importId: string): Promise<SponsorCharge | undefined> => {
  const { rows } = await sql<SponsorCharge>`
    select c.id, c.amount, c.currency, ${completedSince(sql`c.started_at`)} as completed
    from sponsor_charges c where c.import_id = ${importId} and c.credited_at is null for update of c`.execute(
    tx,
  );
  return rows[0];
};
