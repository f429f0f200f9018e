import { type Selectable, sql } from "kysely";
import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { PriceBooks } from "../../platform/schema.ts";
import type { PriceBook, priceBookSchema } from "./price-book.ts";

const toBook = (row: Selectable<PriceBooks>): PriceBook => ({
  ...row,
  packages: row.packages as unknown as PriceBook["packages"],
  counts: row.counts as PriceBook["counts"],
});

const lockOwnBook = (on: Database["sql"], partnerId: string | null) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`price-book:${partnerId ?? ""}`}, 0))`.execute(on);

/** Replaces the current price book of a partner, or the default book (null). */
export const saveBook = async (
  db: Database,
  { partnerId, book, by }: { partnerId: string | null; book: z.infer<typeof priceBookSchema>; by: string },
): Promise<PriceBook> =>
  db.sql.transaction().execute(async (tx) => {
    await lockOwnBook(tx, partnerId);
    await tx
      .updateTable("priceBooks")
      .set({ replacedAt: sql<Date>`now()` })
      .where("partnerId", partnerId === null ? "is" : "=", partnerId)
      .where("replacedAt", "is", null)
      .execute();
    const row = await tx
      .insertInto("priceBooks")
      .values({
        ...book,
        id: newId("book"),
        partnerId,
        createdBy: by,
        packages: JSON.stringify(book.packages),
        counts: JSON.stringify(book.counts),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toBook(row);
  });

/** The current price book of a partner: its own, else the default. */
export const findBookFor = async (
  on: Database["sql"] | Transaction,
  partnerId: string,
): Promise<PriceBook | undefined> => {
  const row = await on
    .selectFrom("priceBooks")
    .selectAll()
    .where((eb) => eb(eb.fn.coalesce("partnerId", eb.val("")), "in", [partnerId, ""]))
    .where("replacedAt", "is", null)
    .orderBy("partnerId", (order) => order.asc().nullsLast())
    .executeTakeFirst();
  return row && toBook(row);
};

/**
 * The current price book that was made for this partner, or the default book (null), as no other request replaces it until this
 * transaction has ended.
 */
export const holdOwnBook = async (db: Database, partnerId: string | null): Promise<PriceBook | undefined> => {
  await lockOwnBook(db.sql, partnerId);
  const row = await db.sql
    .selectFrom("priceBooks")
    .selectAll()
    .where((eb) => eb(eb.fn.coalesce("partnerId", eb.val("")), "=", partnerId ?? ""))
    .where("replacedAt", "is", null)
    .executeTakeFirst();
  return row && toBook(row);
};

export const findBook = async (db: Database, id: string): Promise<PriceBook | undefined> => {
  const row = await db.sql.selectFrom("priceBooks").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toBook(row);
};

/** For the operator: all price books, replaced ones included, newest first. */
export const listBooks = async (
  db: Database,
  {
    partnerId,
    after = null,
    limit,
  }: { partnerId: string | null; after?: string | null | undefined; limit: number },
): Promise<readonly PriceBook[]> =>
  (
    await db.sql
      .selectFrom("priceBooks")
      .selectAll()
      .$if(partnerId !== null, (query) => query.where("partnerId", "=", partnerId))
      .$if(after !== null, (query) => query.where("id", "<", after))
      .orderBy("id", "desc")
      .limit(limit)
      .execute()
  ).map(toBook);
