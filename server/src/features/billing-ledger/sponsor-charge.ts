import type { Transaction } from "../../platform/db.ts";
import type { ChargePrice } from "./charge-price.ts";
import { post } from "./ledger.ts";
import type { MoneyActor } from "./posting.ts";
import { findQuotedPrice, insertCharge, saveCredit, savePrice } from "./store-charges.ts";
import { lockCharge } from "./store-owed.ts";

interface About {
  readonly importId: string;
  readonly partnerId: string;
  readonly actor: MoneyActor;
}

/** Sets the price of a charge and posts it, once. */
export const priceCharge = async (
  tx: Transaction,
  chargeId: number,
  price: ChargePrice,
  about: About,
): Promise<boolean> => {
  if (!(await savePrice(tx, chargeId, price))) return false;
  const { amount, currency } = price;
  return post(tx, {
    ...about,
    kind: "sponsored",
    reference: `sponsored:${chargeId}`,
    currency,
    lines: [
      { account: "partner_owes", amount },
      { account: "sponsored_work", amount: -amount },
    ],
  });
};

/** Charges the partner when a sponsored full migration starts: once, until it is credited. */
export const chargeSponsor = async (tx: Transaction, about: About): Promise<void> => {
  const id = await insertCharge(tx, about.importId, about.partnerId);
  if (id === null) return;
  const price = await findQuotedPrice(tx, about.importId);
  if (price) await priceCharge(tx, id, price, about);
};

/** Credits the partner's charge; `unless: "completed"`: only if no full migration completed. */
export const creditSponsor = async (
  tx: Transaction,
  { unless, ...about }: About & { readonly unless?: "completed" },
): Promise<boolean> => {
  const charge = await lockCharge(tx, about.importId);
  if (!charge || (unless === "completed" && charge.completed)) return false;
  await saveCredit(tx, charge.id);
  if (charge.amount === null || charge.currency === null) return true;
  await post(tx, {
    ...about,
    kind: "sponsored_credit",
    reference: `credit:${charge.id}`,
    currency: charge.currency,
    lines: [
      { account: "partner_owes", amount: -charge.amount },
      { account: "sponsored_work", amount: charge.amount },
    ],
  });
  return true;
};
