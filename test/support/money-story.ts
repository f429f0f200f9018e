import type { Database } from "../../server/src/platform/db.ts";
import { createLog } from "../../server/src/platform/log.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import {
  findAnyImport,
  type ImportEvent,
  type ImportState,
  isPaid,
  listAudit,
  moveImport,
} from "../../server/src/features/imports/index.ts";
import { step } from "../../server/src/features/imports/machine.ts";
import { askFull } from "../../server/src/features/billing/ask-full.ts";
import { buy } from "../../server/src/features/billing/buy.ts";
import { decideSponsorship } from "../../server/src/features/billing/decide-sponsorship.ts";
import { createPollPayments } from "../../server/src/features/billing/poll-payments.ts";
import { createSettle, type SettleNeeds } from "../../server/src/features/billing/settle.ts";
import { findBook } from "../../server/src/features/billing/store-books.ts";
import { listRefunds, retryRefund } from "../../server/src/features/billing/store-refunds.ts";
import { takeNotice } from "../../server/src/features/billing/take-notice.ts";
import { type CashDesk, createCashDesk } from "./cash-desk.ts";
import { givenOffer } from "./given-offer.ts";

export const actions = [
  "ask",
  "accept",
  "reject",
  "buy",
  "pay",
  "pay",
  "decline",
  "notify",
  "notify",
  "turn",
  "refund_there",
  "refund_part",
  "refund_returned",
  "retry",
  "want_back",
  "operator_back",
  "start",
  "start",
  "start",
  "done",
  "done",
  "fail",
  "undo",
  "start_over",
  "sample",
  "delta",
  "stop_and_undo",
  "cancel",
  "archive",
] as const;

export type MoneyAction = readonly [name: (typeof actions)[number], pick: number];

const pickOf = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)];

type Broken = Partial<Pick<SettleNeeds, "means" | "owe">> & {
  readonly desk?: (desk: CashDesk) => CashDesk;
};

/** One import, a provider with its own books, and every action that affects the import's money. */
export const beginStory = async (db: Database, sealer: Sealer, broken: Broken = {}) => {
  const { partner, importId, quote } = await givenOffer(db, sealer);
  const made = createCashDesk({ taxPercent: 19 });
  const desk = broken.desk ? broken.desk(made) : made;
  const { provider } = desk;
  const log = createLog("silent");
  const settle = createSettle({ db, ...broken });
  const take = takeNotice({ db, log, provider, settle });
  const turn = createPollPayments({ db, log, providers: [provider], settle });
  const about = { importId, partnerId: partner.id };
  const move = (event: ImportEvent) =>
    moveImport(db, event, { importId, partnerId: null, actor: { kind: "system" } });
  const state = async (): Promise<ImportState> => {
    const found = await findAnyImport(db, sealer, importId);
    if (!found) throw new Error("no import");
    return found.state;
  };
  /** Makes everything due. */
  const allDue = async () => {
    await db.pool.query(
      "update checkouts set next_look_at = now() where next_look_at is not null and import_id = $1",
      [importId],
    );
    await db.pool.query(
      "update refunds set next_attempt_at = now() where next_attempt_at is not null and import_id = $1",
      [importId],
    );
  };
  /** The operator tries a failed refund again. */
  const retryFailed = async () => {
    for (const { id } of await listRefunds(db, importId)) await retryRefund(db, id);
  };
  const session = (pick: number) => pickOf([...desk.sessions.keys()], pick);

  const act = async ([name, pick]: MoneyAction): Promise<unknown> => {
    const reference = session(pick);
    switch (name) {
      case "ask":
        return askFull(db, { ...about, reference: null, payer: partner.payer });
      case "accept":
      case "reject": {
        const decision = name === "accept" ? "accepted" : "rejected";
        return decideSponsorship(db, {
          ...about,
          decision,
          actor: { kind: "partner", partnerId: partner.id },
        });
      }
      case "buy":
        return buy({ db, provider, findBook: (id) => findBook(db, id) })({
          importId,
          quoteId: quote.id,
          packageId: pick % 2 === 0 ? "medium" : "large",
          description: "Acme",
          paidUrl: (id) => `https://x.example/${id}`,
          leftUrl: "https://x.example",
        });
      case "pay":
        return reference && desk.pay(reference);
      case "decline":
        return reference && desk.decline(reference);
      case "notify": {
        const notice = pickOf(desk.notices, pick);
        return notice && take(notice);
      }
      case "turn":
        await allDue();
        return turn();
      case "refund_there":
        return reference && desk.giveBack(reference, Number.MAX_SAFE_INTEGER);
      case "refund_part":
        return reference && desk.giveBack(reference, 1 + (pick % 40_000));
      case "refund_returned":
        return desk.returnRefund(pick);
      case "retry":
        return retryFailed();
      case "want_back":
        return settle.giveBack(importId, "not_completed", { kind: "customer" });
      case "operator_back":
        return settle.giveBack(importId, "operator", { kind: "operator" });
      case "start":
        return move({ type: "full_started" });
      case "done":
        return move({ type: "run_done" });
      case "fail":
        return move({ type: "run_failed", wrote: pick % 2 === 0 });
      case "undo":
        return move({ type: "undo_started" });
      case "stop_and_undo":
        return move({ type: "stop_and_undo_requested" });
      case "start_over":
        return move({ type: "started_over" });
      case "sample":
        return move({ type: "sample_started" });
      case "delta":
        return move({ type: "delta_started", withinWindow: true });
      case "cancel":
        return move({ type: "cancelled" });
      case "archive":
        return move({ type: "archived" });
    }
  };

  /** The violation in the import's money, as text; null if there is none. */
  const wrong = async (): Promise<string | null> => {
    const now = await state();
    const { rows } = await db.pool.query<{ counting: number; unbalanced: number; early: number }>(
      `select
         (select count(*) from checkouts c where c.import_id = $1 and c.state = 'paid'
            and not exists (select from refunds r where r.checkout_id = c.id)) as counting,
         (select count(*) from (select from money_entries where import_id = $1 group by posting_id, currency
            having sum(amount) <> 0) as u) as unbalanced,
         (select count(*) from money_postings p where p.import_id = $1 and p.kind = 'refunded_early' and not exists
            (select from money_postings t where t.reference = 'late_taken:' || split_part(p.reference, ':', 2))) as early`,
      [importId],
    );
    const { counting = 0, unbalanced = 0, early = 0 } = rows[0] ?? {};
    const works = now.liveRun !== null && ["full", "delta", "retry_failed"].includes(now.liveRun);
    if (works && !isPaid(now)) return "started, but not paid";
    if (now.bought && now.sponsorship === "accepted") return "paid by the customer and by the partner";
    if (counting > 1) return "paid twice, but nothing is due back";
    if (now.bought !== (counting + early === 1)) return "the books and the payments disagree";
    if (unbalanced > 0) return "a posting does not add up";
    if (!now.closed && now.status === "sample_completed" && now.asked && isPaid(now))
      return "paid, but held at the sample";
    if (
      !now.closed &&
      now.status === "in_preparation" &&
      step(now, { type: "full_started" }).kind !== "moved"
    )
      return "in preparation, but can't start";
    return null;
  };

  /** After all notices and all due work, the provider's books and ours must agree. */
  const wrongAtLast = async (): Promise<string | null> => {
    for (const notice of desk.notices) await take(notice);
    for (let round = 0; round < 4; round++) {
      await retryFailed();
      await allDue();
      await turn();
    }
    for (const notice of desk.notices) await take(notice);
    if ((await state()).liveRun) await move({ type: "run_failed", wrote: true });
    if ((await state()).liveRun) await move({ type: "run_done" });
    await allDue();
    await turn();
    const now = await state();
    const ids = await db.pool.query<{ id: string }>("select id from checkouts where import_id = $1", [
      importId,
    ]);
    const held = desk.holds(new Set(ids.rows.map(({ id }) => id)));
    const { rows } = await db.pool.query<{ account: string; amount: number }>(
      "select account, sum(amount)::bigint as amount from money_entries where import_id = $1 group by account",
      [importId],
    );
    const on = (account: string) => rows.find((row) => row.account === account)?.amount ?? 0;
    if (rows.reduce((sum, { amount }) => sum + amount, 0) !== 0) return "the books do not balance";
    if (held !== -on("at_provider")) return `the provider holds ${held}, the books say ${-on("at_provider")}`;
    if (on("customer_due_back") !== 0) return "something is still owed";
    if (!now.bought && held !== 0) return "not bought, but the provider holds money";
    if (now.bought && on("customer_paid") <= 0) return "bought by nothing";
    const charges = await db.pool.query<{ owed: number }>(
      `select coalesce(sum(amount), 0)::bigint as owed from sponsor_charges where import_id = $1 and credited_at is null`,
      [importId],
    );
    if (charges.rows[0]?.owed !== on("partner_owes")) return "the partner's charges and the books disagree";
    return (await replayed()) ?? wrong();
  };

  /** A replay of the audit log alone yields the same state, including payments. */
  const replayed = async (): Promise<string | null> => {
    const [first, ...rest] = (await listAudit(db, importId)) as unknown as {
      event: ImportEvent & { state?: ImportState };
    }[];
    let replay = first?.event.state as ImportState;
    for (const { event } of rest) {
      const next = step(replay, event);
      if (next.kind !== "moved") return `the audit trail has ${event.type}, which the machine does not take`;
      replay = next.state;
    }
    const now = await state();
    return JSON.stringify(replay, Object.keys(now).toSorted()) ===
      JSON.stringify(now, Object.keys(now).toSorted())
      ? null
      : "the audit trail does not replay to the state";
  };

  /** Leaves no due work for another story's loop. */
  const forget = async () => {
    await db.pool.query("update checkouts set next_look_at = null where import_id = $1", [importId]);
    await db.pool.query("update refunds set next_attempt_at = null where import_id = $1", [importId]);
  };

  return { importId, act, forget, wrong, wrongAtLast };
};
