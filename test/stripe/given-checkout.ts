import type { PaymentProvider } from "../../server/src/features/payment-providers/index.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { newId } from "../../server/src/platform/ids.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import { givenImport } from "../support/given-import.ts";

export interface GivenCheckout {
  readonly id: string;
  readonly importId: string;
  readonly reference: string;
  readonly url: string | null;
}

const amount = 14_900;

/** An import with a completed sample and its price. */
export const givenQuote = async (
  db: Database,
  sealer: Sealer,
): Promise<{ importId: string; quoteId: string }> => {
  const importId = await givenImport(db, sealer);
  const bookId = newId("book");
  const quoteId = newId("quo");
  await db.pool.query(
    "update imports set status = 'sample_completed', sample_copy = 'all', source_connected = true, destination_connected = true where id = $1",
    [importId],
  );
  const small = { id: "small", name: "Small", upToRecords: 1000, amount };
  await db.pool.query(
    `insert into price_books (id, partner_id, currency, packages, counts, quote_days, refund_days, created_by)
     select $1, partner_id, 'eur', $3, '{"helpdesk": ["tickets"]}', 30, 14, 'test' from imports where id = $2`,
    [bookId, importId, JSON.stringify([small])],
  );
  await db.pool.query(
    `insert into quotes (id, import_id, price_book_id, records, package, amount, currency, valid_until)
     values ($1, $2, $3, 400, $4, $5, 'eur', now() + interval '30 days')`,
    [quoteId, importId, bookId, JSON.stringify(small), amount],
  );
  return { importId, quoteId };
};

/** A customer's attempt to pay, open at the provider as the wizard leaves it. */
export const givenCheckout = async (
  db: Database,
  provider: PaymentProvider,
  { importId, quoteId }: { importId: string; quoteId: string },
): Promise<GivenCheckout> => {
  const id = newId("chk");
  const opened = await provider.open({
    checkoutId: id,
    importId,
    amount,
    currency: "eur",
    description: "Move to Acme",
    paidUrl: "https://portage.example/paid",
    leftUrl: "https://portage.example/left",
  });
  await db.pool.query(
    `insert into checkouts (id, import_id, quote_id, amount, currency, provider, reference, url, state, expires_at, next_look_at)
     values ($1, $2, $3, $4, 'eur', $5, $6, $7, 'open', $8, now() + interval '2 minutes')`,
    [id, importId, quoteId, amount, provider.name, opened.reference, opened.url, opened.expiresAt],
  );
  return { id, importId, reference: opened.reference, url: opened.url };
};
