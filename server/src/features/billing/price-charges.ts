import type { Database } from "../../platform/db.ts";
import { priceCharge } from "../money/index.ts";
import { countedStreams } from "./price-book.ts";
import { quoteFor } from "./quote.ts";
import { findBookFor } from "./store-books.ts";
import { listUnpricedCharges } from "./store-charges.ts";

/** Prices sponsored migrations that started without a quote by what they moved. */
export const priceCharges = async (db: Database): Promise<number> => {
  let priced = 0;
  for (const { id, importId, partnerId, family, items } of await listUnpricedCharges(db, 100)) {
    const book = await findBookFor(db.sql, partnerId);
    if (!book) continue;
    const records = countedStreams(book, family).reduce((sum, stream) => sum + (items[stream] ?? 0), 0);
    const fitting = quoteFor(book, records);
    // The largest is what there is for more than it holds: nobody is asked for what no book says.
    const chosen = fitting.kind === "fits" ? fitting.package : book.packages.at(-1);
    if (!chosen) continue;
    const price = { quoteId: null, records, package: chosen, amount: chosen.amount, currency: book.currency };
    const about = { importId, partnerId, actor: { kind: "system" } } as const;
    if (await db.sql.transaction().execute((tx) => priceCharge(tx, id, price, about))) priced++;
  }
  return priced;
};
