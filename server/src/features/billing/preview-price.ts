import type { Database } from "../../platform/db.ts";
import type { ImportRecord } from "../imports/index.ts";
import type { Selection } from "../mapping/index.ts";
import type { CountRecords } from "./count-records.ts";
import { countedStreams, type Package } from "./price-book.ts";
import { quoteFor } from "./quote.ts";
import { findBookFor } from "./store-books.ts";

export interface PricePreview {
  readonly package: Package;
  readonly currency: string;
}

/** What a selection would cost by the current price book; null: not known yet, or not offered. Fixes nothing. */
export const previewPrice =
  ({ db, countRecords }: { readonly db: Database; readonly countRecords: CountRecords }) =>
  async (
    found: Pick<ImportRecord, "id" | "partnerId" | "family">,
    selection: Selection,
  ): Promise<PricePreview | null> => {
    const book = await findBookFor(db.sql, found.partnerId);
    if (!book) return null;
    const counted = await countRecords(found, countedStreams(book, found.family), selection);
    if (counted.kind !== "counted") return null;
    const priced = quoteFor(book, counted.records);
    return priced.kind === "fits" ? { package: priced.package, currency: book.currency } : null;
  };
