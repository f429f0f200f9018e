import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { PaymentProvider } from "../payment-providers/index.ts";
import { isPaid, lockImport } from "../imports/index.ts";
import type { Checkout } from "./checkout.ts";
import type { PriceBook } from "./price-book.ts";
import { holds } from "./quote.ts";
import { findUnderWay, findCheckout, insertCheckout, saveOpened } from "./store-checkouts.ts";
import { findQuote } from "./store-quotes.ts";

/** Delay before the worker polls the provider about a new checkout that no notice has settled. */
export const firstLookMs = 2 * 60_000;

export type Buying =
  | { readonly kind: "open"; readonly checkout: Checkout }
  | { readonly kind: "paid_already" | "not_for_sale" | "quote_expired" | "no_such_package" }
  /** A checkout for another amount or provider is under way: it must end first. */
  | { readonly kind: "other_under_way"; readonly checkout: Checkout };

interface Wanted {
  readonly importId: string;
  readonly quoteId: string;
  readonly packageId: string;
  readonly description: string;
  readonly paidUrl: (checkoutId: string) => string;
  readonly leftUrl: string;
}

interface Needs {
  readonly db: Database;
  readonly provider: PaymentProvider;
  readonly findBook: (id: string) => Promise<PriceBook | undefined>;
}

type Prepared = Exclude<Buying, { kind: "open" }> | { readonly kind: "prepared"; readonly id: string };

/** Inserts the import's checkout or finds the one under way; the import's lock makes two tabs share it. */
const prepare = async ({ db, provider, findBook }: Needs, wanted: Wanted): Promise<Prepared> => {
  const quoted = await findQuote(db.sql, wanted.importId);
  const book = quoted && (await findBook(quoted.priceBookId));
  return db.sql.transaction().execute(async (tx): Promise<Prepared> => {
    const locked = await lockImport(tx, wanted.importId);
    if (!locked || locked.state.closed !== null) return { kind: "not_for_sale" };
    if (isPaid(locked.state)) return { kind: "paid_already" };
    if (locked.state.status !== "sample_completed") return { kind: "not_for_sale" };
    const quote = await findQuote(tx, wanted.importId);
    if (!quote || quote.id !== wanted.quoteId || quote.priceBookId !== book?.id || quote.expired)
      return { kind: "quote_expired" };
    const chosen = book.packages.find(({ id }) => id === wanted.packageId);
    if (!chosen || !holds(chosen, quote.records)) return { kind: "no_such_package" };
    const underWay = await findUnderWay(tx, wanted.importId);
    if (underWay) {
      const same = underWay.amount === chosen.amount && underWay.currency === quote.currency;
      return same && underWay.provider === provider.name
        ? { kind: "prepared", id: underWay.id }
        : { kind: "other_under_way", checkout: underWay };
    }
    const id = newId("chk");
    await insertCheckout(
      tx,
      {
        id,
        importId: wanted.importId,
        quoteId: quote.id,
        amount: chosen.amount,
        currency: quote.currency,
        provider: provider.name,
      },
      firstLookMs,
    );
    return { kind: "prepared", id };
  });
};

/**
 * Opens a payment page, or returns the one that is open. It writes the checkout first and calls the provider with the
 * checkout's id as idempotency key: a second call, in another tab or after a crash, gets the same page.
 */
export const buy =
  (needs: Needs) =>
  async (wanted: Wanted): Promise<Buying> => {
    const prepared = await prepare(needs, wanted);
    if (prepared.kind !== "prepared") return prepared;
    const { db, provider } = needs;
    const name = { checkoutId: prepared.id };
    const found = await findCheckout(db, name);
    if (found?.state === "opening") {
      const opened = await provider.open({
        checkoutId: found.id,
        importId: found.importId,
        amount: found.amount,
        currency: found.currency,
        description: wanted.description,
        paidUrl: wanted.paidUrl(found.id),
        leftUrl: wanted.leftUrl,
      });
      await saveOpened(db, found.id, opened);
    }
    const checkout = await findCheckout(db, name);
    if (!checkout) throw new Error("Checkout is missing right after its insert");
    return { kind: "open", checkout };
  };
