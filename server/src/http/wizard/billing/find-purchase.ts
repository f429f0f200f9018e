import type { WizardPurchase } from "@portage/contract/wizard";
import {
  applyRules,
  type CountRecords,
  findBook,
  findQuote,
  findReminder,
  fixQuote,
  listCheckouts,
  listRefunds,
  type Settle,
} from "../../../features/billing/index.ts";
import type { PaymentProvider } from "../../../features/payment-providers/index.ts";
import { findAnyImport, type ImportRecord, isPaid } from "../../../features/imports/index.ts";
import { findPartner, type Partner } from "../../../features/partners/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { importEnded } from "../access/gate.ts";
import { type PurchaseFacts, purchaseView } from "./purchase-view.ts";

export interface PurchaseNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly settle: Settle;
  readonly log: Log;
  /** Null: customers can't buy. */
  readonly provider: PaymentProvider | null;
  /** All providers that can report the state of a payment. */
  readonly providers: readonly PaymentProvider[];
  readonly countRecords: CountRecords;
}

const kept = async ({ db }: PurchaseNeeds, importId: string): Promise<PurchaseFacts["offer"]> => {
  const quote = await findQuote(db.sql, importId);
  const book = quote && (await findBook(db, quote.priceBookId));
  return quote && book ? { kind: "quote", quote, book } : { kind: "none", why: "sponsored" };
};

const offerOf = async (
  needs: PurchaseNeeds,
  found: ImportRecord,
  partner: Partner,
): Promise<PurchaseFacts["offer"]> => {
  const { state } = found;
  if (state.bought) return kept(needs, found.id);
  if (isPaid(state) || partner.payer === "partner") return { kind: "none", why: "sponsored" };
  if (state.status !== "sample_completed") return { kind: "none", why: "no_sample" };
  const fixed = await fixQuote(needs)(found);
  // The quote exists even where customers can't buy: the partner's sponsor rules may need it.
  return fixed.kind === "quote" && needs.provider === null ? { kind: "none", why: "not_offered" } : fixed;
};

/** The current price and payments of an import. */
export const findPurchase = async (needs: PurchaseNeeds, importId: string): Promise<WizardPurchase> => {
  const { db, sealer, settle } = needs;
  const find = async () => {
    const found = await findAnyImport(db, sealer, importId);
    const partner = found && (await findPartner(db, found.partnerId));
    if (!found || !partner) throw importEnded();
    return { found, partner };
  };
  let { found, partner } = await find();
  let offer = await offerOf(needs, found, partner);
  const asked = { importId, partnerId: found.partnerId, reference: found.reference, payer: partner.payer };
  // A customer who asked before the price was known gets the rules' decision as soon as it is.
  if (found.state.asked && (await applyRules(db, asked))?.kind === "moved") {
    ({ found, partner } = await find());
    offer = await offerOf(needs, found, partner);
  }
  const { state } = found;
  const undecided =
    partner.payer === "partner_decides" && state.sponsorship === "undecided" && !isPaid(state);
  return purchaseView({
    found,
    offer,
    mayAskPartner: undecided && !state.asked,
    paysElsewhere: needs.provider !== null && needs.provider.name !== "manual",
    checkouts: await listCheckouts(db, importId),
    refunds: await listRefunds(db, importId),
    mayRefund: await settle.mayGiveBack(importId),
    reminder: await findReminder(db, importId),
    waitsForPartner: undecided && state.asked,
  });
};
