import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Quote } from "./quote.ts";
import { type PastQuote, planTagOf } from "./sponsor-rules.ts";

const columns = [
  "id",
  "importId",
  "priceBookId",
  "records",
  "package",
  "amount",
  "currency",
  "madeAt",
  "validUntil",
] as const;

export interface CurrentQuote extends Quote {
  readonly expired: boolean;
  /** A sample completed after the quote was made. */
  readonly outdated: boolean;
}

export const findQuote = async (
  on: Database["sql"] | Transaction,
  importId: string,
): Promise<CurrentQuote | undefined> =>
  (await on
    .selectFrom("quotes")
    .select(columns)
    .select([
      sql<boolean>`valid_until <= now()`.as("expired"),
      sql<boolean>`exists (select from audit a where a.import_id = quotes.import_id and a.at > quotes.made_at
        and a.from_status = 'sample_in_progress' and a.event ->> 'type' = 'run_done')`.as("outdated"),
    ])
    .where("importId", "=", importId)
    .where("replacedAt", "is", null)
    .executeTakeFirst()) as CurrentQuote | undefined;

/** The import has no quote until another is made. The caller must hold the import's lock. */
export const endQuote = async (tx: Transaction, importId: string): Promise<void> => {
  await tx
    .updateTable("quotes")
    .set({ replacedAt: sql<Date>`now()` })
    .where("importId", "=", importId)
    .where("replacedAt", "is", null)
    .execute();
};

/** Replaces the import's quote. The caller must hold the import's lock. */
export const insertQuote = async (
  tx: Transaction,
  { quoteDays, ...quote }: Omit<Quote, "id" | "madeAt" | "validUntil"> & { readonly quoteDays: number },
): Promise<void> => {
  await endQuote(tx, quote.importId);
  await tx
    .insertInto("quotes")
    .values({
      ...quote,
      id: newId("quo"),
      package: JSON.stringify(quote.package),
      // Not now(), the transaction's start: a transaction that waited for the lock must write the later time.
      madeAt: sql<Date>`clock_timestamp()`,
      validUntil: sql<Date>`clock_timestamp() + ${quoteDays} * interval '1 day'`,
    })
    .execute();
};

/** The current quotes of a partner's imports that were made in the last days, oldest first. */
export const listPastQuotes = async (
  db: Database,
  partnerId: string,
  days: number,
): Promise<readonly PastQuote[]> => {
  const rows = await db.sql
    .selectFrom("quotes as q")
    .innerJoin("imports as i", "i.id", "q.importId")
    .select(["q.records", "q.amount as cost", "q.currency", "q.madeAt as at", "i.reference"])
    .where("i.partnerId", "=", partnerId)
    .where("q.replacedAt", "is", null)
    .where("q.madeAt", ">=", sql<Date>`now() - make_interval(days => ${days})`)
    .orderBy("q.madeAt")
    .orderBy("q.id")
    .execute();
  return rows.map(({ reference, ...quote }) => ({
    ...(quote as unknown as Omit<PastQuote, "planTag">),
    planTag: planTagOf(reference),
  }));
};
