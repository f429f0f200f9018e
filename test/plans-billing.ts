import {
  listRefunds,
  deleteOldNotices,
  listCheckouts,
  makeInvoice,
} from "../server/src/features/billing/index.ts";
import { listDisputes } from "../server/src/features/billing/store-disputes.ts";
import { listUnpricedCharges } from "../server/src/features/billing/store-charges.ts";
import { takeDuePolls } from "../server/src/features/billing/store-checkouts.ts";
import { takeDueRefunds } from "../server/src/features/billing/store-refunds.ts";
import { listDecisions, promisedThisMonth } from "../server/src/features/billing/store-sponsors.ts";
import type { Database } from "../server/src/platform/db.ts";

/** Billing data of two thousand imports, most of it settled long ago. */
export const fillBilling = async (db: Database): Promise<void> => {
  const from = "from generate_series(1, 2000) n";
  const id = (prefix: string, text = "n::text") => `'${prefix}_' || lpad(${text}, 26, '0')`;
  const partner = id("prt", "(n % 200 + 1)::text");
  await db.pool.query(`insert into price_books (id, partner_id, currency, packages, counts, quote_days, refund_days, created_by)
    select ${id("book")}, case when n > 1 then ${partner} end, 'usd', '[]', '{}', 30, 14, 'x' from generate_series(1, 100) n`);
  await db.pool.query(`insert into quotes (id, import_id, price_book_id, records, package, amount, currency, valid_until)
    select ${id("quo")}, ${id("imp")}, ${id("book", "'1'")}, 5, '{}', 100, 'usd', now() ${from}`);
  await db.pool.query(`insert into checkouts (id, import_id, quote_id, amount, currency, provider, reference, state, paid_at, next_look_at)
    select ${id("chk")}, ${id("imp")}, ${id("quo")}, 100, 'usd', 'manual', n::text, case when n < 9 then 'open' else 'paid' end,
      case when n >= 9 then now() end, case when n < 9 then now() end ${from}`);
  await db.pool.query(`insert into refunds (id, checkout_id, import_id, amount, reason, state, done_at)
    select ${id("ref")}, ${id("chk")}, ${id("imp")}, 100, 'undone', case when n < 9 then 'due' else 'done' end,
      case when n >= 9 then now() end ${from}`);
  await db.pool.query(`insert into disputes (provider, reference, checkout_id, import_id, state, reason, amount, currency, opened_at)
    select 'manual', n::text, ${id("chk")}, ${id("imp")}, 'lost', 'fraudulent', 100, 'usd', now() ${from}`);
  await db.pool.query(`insert into money_postings (kind, reference, import_id, actor)
    select 'sponsored', 'sponsored:' || n, ${id("imp")}, '{}' ${from}`);
  await db.pool.query(`insert into money_entries (posting_id, import_id, partner_id, account, amount, currency)
    select p.id, p.import_id, i.partner_id, account, amount, 'usd' from money_postings p join imports i on i.id = p.import_id,
      (values ('partner_owes', 100), ('sponsored_work', -100)) line (account, amount)`);
  await db.pool.query(`insert into sponsor_decisions (import_id, partner_id, decision, actor, rule, cost, currency)
    select ${id("imp")}, ${partner}, 'accepted', '{}', case when n % 2 = 0 then 'r' end, 100, 'usd' ${from}`);
  await db.pool.query(`insert into sponsor_charges (import_id, partner_id, amount, currency, posted_at)
    select ${id("imp")}, ${partner}, case when n > 9 then 100 end, case when n > 9 then 'usd' end,
      case when n > 9 then now() end ${from}`);
  await db.pool.query(`insert into payment_notices (provider, notice_id, type, received_at)
    select 'stripe', n::text, 't', now() - n * interval '1 hour' ${from}`);
};

const partner = "prt_00000000000000000000000008";
const importId = "imp_00000000000000000000000007";
const month = () => new Date().toISOString().slice(0, 7);

/** The queries of billing. They sort only the rows of one import, or of a partner's month. */
export const billingQuestions: [index: string, what: string, ask: (on: Database) => Promise<unknown>][] = [
  ["checkouts_by_import", "money: attempts to pay", (on) => listCheckouts(on, importId)],
  ["checkouts_to_look_at", "money: checkouts to look at", (on) => takeDuePolls(on, 10, 1_000)],
  ["refunds_by_import", "money: an import's refunds", (on) => listRefunds(on, importId)],
  ["refunds_to_do", "money: refunds that are owed", (on) => takeDueRefunds(on, 10, "manual")],
  [
    "disputes_by_import",
    "money: an import's disputes",
    (on) => listDisputes(on, { importId, undecided: false, limit: 100 }),
  ],
  [
    "disputes_by_time",
    "money: a page of disputes",
    (on) => listDisputes(on, { importId: null, undecided: false, limit: 50 }),
  ],
  [
    "disputes_undecided",
    "money: disputes that no bank has decided",
    (on) => listDisputes(on, { importId: null, undecided: true, limit: 50 }),
  ],
  ["money_entries_by_partner", "money: an invoice", (on) => makeInvoice(on, partner, month())],
  ["sponsor_decisions_by_import", "money: decisions", (on) => listDecisions(on, partner, importId)],
  [
    "sponsor_decisions_by_rule",
    "money: promised by rules",
    (on) => on.sql.transaction().execute((tx) => promisedThisMonth(tx, partner, "usd")),
  ],
  ["sponsor_charges_to_post", "money: charges without a price", (on) => listUnpricedCharges(on, 10)],
  ["payment_notices_by_age", "money: old notices", (on) => deleteOldNotices(on)],
  [
    "money_entries_by_posting",
    "money: whether a posting adds up, as the trigger asks",
    (on) =>
      on.pool.query(
        "select from money_entries where posting_id = $1 group by currency having sum(amount) <> 0",
        [7],
      ),
  ],
];
