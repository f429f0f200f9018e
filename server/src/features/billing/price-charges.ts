import type { Database } from "../../platform/db.ts";
import { priceCharge } from "../billing-ledger/index.ts";
import { countedStreams } from "./price-book.ts";
import { quoteFor } from "./quote.ts";
import { findBookFor } from "./store-books.ts";
import { listUnpricedCharges } from "./store-charges.ts";

/** Prices sponsored migrations that started without a quote by the records that they moved. */
export const priceCharges = async (db: Database): Promise<number> => {
  let priced = 0;
  for (const { id, importId, partnerId, family, items } of await listUnpricedCharges(db, 100)) {
    const book = await findBookFor(db.sql, partnerId);
    if (!book) continue;
    const records = countedStreams(book, family).reduce((sum, stream) => sum + (items[stream] ?? 0), 0);
    const fitting = quoteFor(book, records);
    // Beyond the largest package, charge its price: a partner never pays a price that no book contains.
    const chosen = fitting.kind === "fits" ? fitting.package : book.packages.at(-1);
    if (!chosen) continue;
    const price = { quoteId: null, records, package: chosen, amount: chosen.amount, currency: book.currency };
    const about = { importId, partnerId, actor: { kind: "system" } } as const;
    if (await db.sql.transaction().execute((tx) => priceCharge(tx, id, price, about))) priced++;
  }
  return priced;
};
