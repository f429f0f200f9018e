import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { givenBack, type RefundReason } from "../billing-ledger/index.ts";

export interface Refund {
  readonly id: string;
  readonly checkoutId: string;
  readonly importId: string;
  /** What is owed still; of a refund that is done, all that the customer has got back of the payment. */
  readonly amount: number;
  readonly reason: RefundReason;
  readonly state: "due" | "asked" | "done" | "failed";
  readonly providerReference: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly doneAt: Date | null;
}

const columns = [
  "id",
  "checkoutId",
  "importId",
  "amount",
  "reason",
  "state",
  "providerReference",
  "attempts",
  "createdAt",
  "doneAt",
] as const;

export const lockRefundOf = async (tx: Transaction, checkoutId: string): Promise<Refund | undefined> =>
  (await tx
    .selectFrom("refunds")
    .select(columns)
    .where("checkoutId", "=", checkoutId)
    .forUpdate()
    .executeTakeFirst()) as Refund | undefined;

export const listRefunds = async (db: Database, importId: string): Promise<readonly Refund[]> =>
  (await db.sql
    .selectFrom("refunds")
    .select(columns)
    .where("importId", "=", importId)
    .orderBy("id", "desc")
    .execute()) as unknown as readonly Refund[];

export const saveRefund = async (
  tx: Transaction,
  id: string,
  { amount, state, providerReference }: Pick<Refund, "amount" | "state" | "providerReference">,
): Promise<void> => {
  await tx
    .updateTable("refunds")
    .set({
      amount,
      state,
      doneAt: state === "done" ? sql<Date>`now()` : null,
      ...(providerReference !== null && { providerReference }),
      ...(state === "due" && { nextAttemptAt: sql<Date>`now()` }),
      // A requested refund is polled again; a finished one is not.
      ...((state === "done" || state === "failed") && { nextAttemptAt: null }),
    })
    .where("id", "=", id)
    .execute();
};

/** Makes a failed refund due again after the operator looked at it. False: no failed refund has this id. */
export const retryRefund = async (db: Database, id: string): Promise<boolean> => {
  const updated = await db.sql
    .updateTable("refunds")
    .set({ state: "due", nextAttemptAt: sql<Date>`now()` })
    .where("id", "=", id)
    .where("state", "=", "failed")
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
};

export interface DueRefund extends Pick<Refund, "id" | "checkoutId" | "attempts"> {
  /** What all refunds of the payment shall add up to. */
  readonly total: number;
  readonly provider: string;
  readonly reference: string;
  readonly currency: string;
}

const longestPauseMinutes = 360;

/** Takes due refunds; each is due again after an exponential backoff, even if this process dies. */
export const takeDueRefunds = async (
  db: Database,
  limit: number,
  provider: string,
): Promise<readonly DueRefund[]> => {
  const { rows } = await sql<DueRefund>`
    update refunds r set attempts = r.attempts + 1,
      next_attempt_at = now() + least(power(2, least(r.attempts, 12)), ${longestPauseMinutes}) * interval '1 minute'
    from checkouts c
    where c.id = r.checkout_id and r.id in (
      select d.id from refunds d join checkouts p on p.id = d.checkout_id
      where d.state in ('due', 'asked') and d.next_attempt_at <= now() and p.provider = ${provider}
      order by d.next_attempt_at limit ${limit} for update of d skip locked)
    returning r.id, r.checkout_id, r.amount + ${givenBack} as total, r.attempts, c.provider, c.reference,
      c.currency`.execute(db.sql);
  return rows;
};
