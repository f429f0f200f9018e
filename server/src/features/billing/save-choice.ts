import { isDeepStrictEqual } from "node:util";
import type { PaymentProvider } from "../payment-providers/index.ts";
import { isPaid, lockImport } from "../imports/index.ts";
import { loadMapping, type MappingToSave, type Saved, saveMapping } from "../mapping/index.ts";
import type { KeepNeeds } from "./keep-payment.ts";
import { pollCheckout } from "./poll-checkout.ts";
import { findUnderWay } from "./store-checkouts.ts";
import { endQuote } from "./store-quotes.ts";

export type ChoiceSaved =
  | Saved
  /** The customer paid for what was chosen then. */
  | { readonly kind: "paid_for" }
  /** A payment page shows the price of what was chosen then, and it could not be closed. */
  | { readonly kind: "payment_open" };

interface Needs extends KeepNeeds {
  readonly providers: readonly PaymentProvider[];
}

/**
 * Saves a customer's mapping. If it chooses other records, the price is made anew: the quote ends, and first an open payment
 * page, so that the customer can't pay the price of another choice. What was paid for stays as it is.
 */
export const saveChoice =
  (needs: Needs) =>
  async (importId: string, wanted: MappingToSave): Promise<ChoiceSaved> => {
    const { db, providers } = needs;
    const current = await loadMapping(db, importId);
    if (current.revision !== wanted.based) return { kind: "stale", current };
    if (isDeepStrictEqual(current.mapping.selection, wanted.mapping.selection))
      return saveMapping(db, importId, wanted);
    const open = await findUnderWay(db.sql, importId);
    const provider = providers.find(({ name }) => name === open?.provider);
    if (open && provider) await pollCheckout({ ...needs, provider })(open, true);
    return db.sql.transaction().execute(async (tx): Promise<ChoiceSaved> => {
      const locked = await lockImport(tx, importId);
      if (locked?.state.bought) return { kind: "paid_for" };
      if (await findUnderWay(tx, importId)) return { kind: "payment_open" };
      const saved = await saveMapping({ sql: tx }, importId, wanted);
      // A sponsor has agreed to the price as it was.
      if (saved.kind === "saved" && locked && !isPaid(locked.state)) await endQuote(tx, importId);
      return saved;
    });
  };
