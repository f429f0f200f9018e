import { type Kysely, sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { DB } from "../../platform/schema.ts";
import type { Checkout, CheckoutName } from "./checkout.ts";

const columns = [
  "id",
  "importId",
  "quoteId",
  "amount",
  "currency",
  "provider",
  "reference",
  "url",
  "state",
  "tax",
  "paidAt",
  "expiresAt",
  "createdAt",
] as const;

const select = (on: Kysely<DB>) => on.selectFrom("checkouts").select(columns);

const underWay = ["opening", "open"] as const;

export const findCheckout = async (db: Database, name: CheckoutName): Promise<Checkout | undefined> => {
  if ("reference" in name) {
    const byReference = await select(db.sql)
      .where("reference", "=", name.reference)
      .where("provider", "=", name.provider)
      .executeTakeFirst();
    if (byReference) return byReference as unknown as Checkout;
  }
  if (!name.checkoutId) return undefined;
  const byId = await select(db.sql).where("id", "=", name.checkoutId).executeTakeFirst();
  return byId as Checkout | undefined;
};

export const lockCheckout = async (tx: Transaction, id: string): Promise<Checkout> =>
  (await select(tx).where("id", "=", id).forUpdate().executeTakeFirstOrThrow()) as unknown as Checkout;

/** An import's attempts to pay, newest first. */
export const listCheckouts = async (db: Database, importId: string): Promise<readonly Checkout[]> =>
  (await select(db.sql)
    .where("importId", "=", importId)
    .orderBy("id", "desc")
    .limit(50)
    .execute()) as unknown as readonly Checkout[];

export const findUnderWay = async (
  on: Database["sql"] | Transaction,
  importId: string,
): Promise<Checkout | undefined> =>
  (await select(on).where("importId", "=", importId).where("state", "in", underWay).executeTakeFirst()) as
    | Checkout
    | undefined;

export const insertCheckout = async (
  tx: Transaction,
  checkout: Pick<Checkout, "id" | "importId" | "quoteId" | "amount" | "currency" | "provider">,
  firstLookMs: number,
): Promise<void> => {
  await tx
    .insertInto("checkouts")
    .values({ ...checkout, nextLookAt: sql<Date>`now() + ${firstLookMs} * interval '1 millisecond'` })
    .execute();
};

/** Stores the payment page that the provider opened; a second call changes nothing. */
export const saveOpened = async (
  db: Database,
  id: string,
  opened: { readonly reference: string; readonly url: string | null; readonly expiresAt: Date | null },
): Promise<void> => {
  await db.sql
    .updateTable("checkouts")
    .set({ ...opened, state: "open" })
    .where("id", "=", id)
    .where("state", "=", "opening")
    .execute();
};

export const savePaid = async (
  tx: Transaction,
  id: string,
  { reference, tax, paidAt }: { reference: string | null; tax: number; paidAt: Date },
): Promise<void> => {
  await tx
    .updateTable("checkouts")
    .set({
      state: "paid",
      tax,
      paidAt,
      nextLookAt: null,
      ...(reference !== null && { reference: sql<string>`coalesce(reference, ${reference})` }),
    })
    .where("id", "=", id)
    .execute();
};

/** Ends a checkout that can't be paid any more; a paid one stays paid. */
export const saveEnded = async (db: Database, id: string, state: "expired" | "failed"): Promise<void> => {
  await db.sql
    .updateTable("checkouts")
    .set({ state, nextLookAt: null })
    .where("id", "=", id)
    .where("state", "in", underWay)
    .execute();
};

export interface DuePoll extends Checkout {
  /** The import is bought, sponsored or closed: the customer should not pay this checkout any more. */
  readonly needless: boolean;
}

/** Takes the checkouts that are due for a poll; each is due again after `againMs`, even if this process dies. */
export const takeDuePolls = async (
  db: Database,
  limit: number,
  againMs: number,
): Promise<readonly DuePoll[]> => {
  const { rows } = await sql<DuePoll>`
    update checkouts c set looked_at = now(), next_look_at = now() + ${againMs} * interval '1 millisecond'
    from imports i
    where i.id = c.import_id and c.id in (
      select id from checkouts where next_look_at <= now() order by next_look_at limit ${limit} for update skip locked)
    returning c.id, c.import_id, c.quote_id, c.amount, c.currency, c.provider, c.reference, c.url, c.state, c.tax,
      c.paid_at, c.expires_at, c.created_at,
      i.closed is not null or i.sponsorship = 'accepted' or coalesce((select sum(e.amount) > 0 from money_entries e
        where e.import_id = i.id and e.account = 'customer_paid'), false) as needless`.execute(db.sql);
  return rows;
};
