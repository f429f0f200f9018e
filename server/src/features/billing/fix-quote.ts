import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../platform/db.ts";
import { type ImportRecord, lockImport } from "../imports/index.ts";
import { loadMapping } from "../mapping/index.ts";
import type { CountRecords } from "./count-records.ts";
import { countedStreams, type PriceBook } from "./price-book.ts";
import { type Quote, quoteFor } from "./quote.ts";
import { findBook, findBookFor } from "./store-books.ts";
import { findUnderWay } from "./store-checkouts.ts";
import { type CurrentQuote, findQuote, insertQuote } from "./store-quotes.ts";

export type QuoteFixed =
  | { readonly kind: "quote"; readonly quote: Quote; readonly book: PriceBook }
  | { readonly kind: "none"; readonly why: "not_offered" | "counting" | "not_counted" | "too_large" };

const holdsStill = (quote: CurrentQuote | undefined): quote is CurrentQuote =>
  quote !== undefined && !quote.expired && !quote.outdated;

const withBook = async (db: Database, quote: Quote): Promise<QuoteFixed> => {
  const book = await findBook(db, quote.priceBookId);
  if (!book) throw new Error("Quote references a missing price book");
  return { kind: "quote", quote, book };
};

/** Returns the import's valid quote, or makes one from the current price book and the current count. */
export const fixQuote =
  ({ db, countRecords }: { readonly db: Database; readonly countRecords: CountRecords }) =>
  async (found: Pick<ImportRecord, "id" | "partnerId" | "family">): Promise<QuoteFixed> => {
    const before = await findQuote(db.sql, found.id);
    if (holdsStill(before)) return withBook(db, before);
    const book = await findBookFor(db.sql, found.partnerId);
    if (!book) return { kind: "none", why: "not_offered" };
    const { selection } = (await loadMapping(db, found.id)).mapping;
    const counted = await countRecords(found, countedStreams(book, found.family), selection);
    if (counted.kind !== "counted") return { kind: "none", why: counted.kind };
    const { records } = counted;
    const priced = quoteFor(book, records);
    if (priced.kind === "too_large") return { kind: "none", why: "too_large" };
    const quote = await db.sql.transaction().execute(async (tx) => {
      await lockImport(tx, found.id);
      // The customer chose otherwise while the records were counted: the next call counts those.
      const now = (await loadMapping({ sql: tx }, found.id)).mapping.selection;
      if (!isDeepStrictEqual(now, selection)) return null;
      // A customer with a checkout under way pays the price that they saw.
      const meanwhile = await findQuote(tx, found.id);
      const isUsed = meanwhile && (holdsStill(meanwhile) || (await findUnderWay(tx, found.id)) !== undefined);
      if (!isUsed)
        await insertQuote(tx, {
          importId: found.id,
          priceBookId: book.id,
          records,
          package: priced.package,
          amount: priced.package.amount,
          currency: book.currency,
          quoteDays: book.quoteDays,
        });
      return findQuote(tx, found.id);
    });
    if (quote === null) return { kind: "none", why: "counting" };
    if (!quote) throw new Error("Quote is missing right after its insert");
    return withBook(db, quote);
  };
