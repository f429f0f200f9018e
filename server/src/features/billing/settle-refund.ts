import type { Transaction } from "../../platform/db.ts";
import type { RefundState } from "../checkout/index.ts";
import { lockImport, moveWithin } from "../imports/index.ts";
import {
  findCountingPayment,
  findGivenInPart,
  insertRefund,
  type MoneyActor,
  post,
} from "../billing-ledger/index.ts";
import type { Checkout } from "./checkout.ts";
import type { Settled } from "./settled.ts";
import { lockRefundOf, type Refund, saveRefundState, saveRest } from "./store-refunds.ts";

interface RefundReport {
  readonly refunded: number | null;
  readonly state: RefundState;
  readonly actor: MoneyActor;
}

interface About {
  readonly importId: string;
  readonly partnerId: string;
  readonly currency: string;
  readonly actor: MoneyActor;
}

/** Stores the provider's answer about a refund that Portage owes. */
const ourOwn = async (
  tx: Transaction,
  refund: Refund,
  state: RefundState,
  about: About,
): Promise<Settled> => {
  const { id, amount, attempts } = refund;
  const lines = (sign: 1 | -1) =>
    [
      { account: "customer_due_back", amount: -sign * amount },
      { account: "at_provider", amount: sign * amount },
    ] as const;
  if (state.kind === "done") {
    if (refund.state === "done") return { kind: "known" };
    await saveRefundState(tx, id, "done", state.reference);
    await post(tx, { ...about, kind: "refunded", reference: `refund:${id}:${attempts}`, lines: lines(1) });
    return { kind: "refunded" };
  }
  if (refund.state === "done") {
    // A bank can return money after the refund was done; only a failure of that same refund counts.
    if (state.kind !== "failed" || state.reference !== refund.providerReference) return { kind: "known" };
    await post(tx, {
      ...about,
      kind: "refund_came_back",
      reference: `refund_back:${id}:${attempts}`,
      lines: lines(-1),
    });
  }
  if (refund.state !== state.kind) await saveRefundState(tx, id, state.kind, state.reference);
  return { kind: "known" };
};

/** A refund made directly at the provider covers a part of the debt: the rest stays due. False: it covers all. */
const partOfOwn = async (
  tx: Transaction,
  { id, checkoutId, amount, state }: Refund,
  refunded: number,
  about: About,
): Promise<boolean> => {
  const given = await findGivenInPart(tx, checkoutId);
  if (state === "done" || refunded >= given + amount) return false;
  const more = refunded - given;
  if (more <= 0) return true;
  await post(tx, {
    ...about,
    kind: "given_in_part",
    reference: `partial:${checkoutId}:${refunded}`,
    lines: [
      { account: "at_provider", amount: more },
      { account: "customer_due_back", amount: -more },
    ],
  });
  await saveRest(tx, id, amount - more);
  return true;
};

/** Posts a refund made directly at the provider: a full one makes the import unpaid, a partial one is goodwill. */
const theirOwn = async (
  tx: Transaction,
  checkout: Checkout,
  { refunded, state }: { readonly refunded: number; readonly state: { readonly reference: string } },
  about: About,
): Promise<Settled> => {
  const payment = await findCountingPayment(tx, checkout.importId);
  if (payment?.checkoutId !== checkout.id) return { kind: "known" };
  const { amount, tax, given } = payment;
  const total = amount + tax;
  if (refunded < total) {
    const more = refunded - given;
    if (more > 0)
      await post(tx, {
        ...about,
        kind: "given_in_part",
        reference: `partial:${checkout.id}:${refunded}`,
        lines: [
          { account: "at_provider", amount: more },
          { account: "goodwill", amount: -more },
        ],
      });
    return { kind: "known" };
  }
  const left = total - given;
  const write = (inside: Transaction) =>
    insertRefund(inside, {
      checkoutId: checkout.id,
      importId: checkout.importId,
      amount: left,
      reason: "provider",
      done: { reference: state.reference },
    });
  const moved = await moveWithin(
    tx,
    { type: "refunded" },
    {
      importId: checkout.importId,
      partnerId: null,
      actor: { kind: "system" },
      alongside: async (inside) => {
        const id = await write(inside);
        return post(inside, {
          ...about,
          kind: "refunded_by_provider",
          reference: `refund:${id}:0`,
          lines: [
            { account: "customer_paid", amount: -amount },
            { account: "tax", amount: -tax },
            { account: "goodwill", amount: given },
            { account: "at_provider", amount: left },
          ],
        });
      },
    },
  );
  if (moved.kind === "moved") return { kind: "refunded" };
  // The run that the payment bought is live: the import stays paid until the run has ended.
  const id = await write(tx);
  await post(tx, {
    ...about,
    kind: "refunded_early",
    reference: `late:${id}`,
    lines: [
      { account: "at_provider", amount: left },
      { account: "goodwill", amount: -left },
    ],
  });
  return { kind: "known" };
};

/** Settles what the provider reports about a refund, under the import's lock. */
export const settleRefund = async (
  tx: Transaction,
  checkout: Checkout,
  report: RefundReport,
): Promise<Settled> => {
  if (checkout.state !== "paid") return { kind: "not_paid" };
  const locked = await lockImport(tx, checkout.importId);
  if (!locked) throw new Error("Checkout references a missing import");
  const about: About = {
    importId: checkout.importId,
    partnerId: locked.partnerId,
    currency: checkout.currency,
    actor: report.actor,
  };
  const refund = await lockRefundOf(tx, checkout.id);
  const { state } = report;
  const { refunded } = report;
  if (refund) {
    const partly =
      refunded !== null && state.kind === "done" && (await partOfOwn(tx, refund, refunded, about));
    return partly ? { kind: "known" } : ourOwn(tx, refund, state, about);
  }
  return state.kind === "done" && refunded !== null
    ? theirOwn(tx, checkout, { refunded, state }, about)
    : { kind: "known" };
};
