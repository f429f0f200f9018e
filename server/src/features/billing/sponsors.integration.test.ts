import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testSealer } from "../../../../test/support/fixtures.ts";
import { findAnyImport, moveImport } from "../imports/index.ts";
import { post } from "../billing-ledger/index.ts";
import { askFull } from "./ask-full.ts";
import { decideSponsorship } from "./decide-sponsorship.ts";
import { invoiceCsv, makeInvoice } from "./invoices.ts";
import { priceCharges } from "./price-charges.ts";
import { remindPartner } from "./remind-partner.ts";
import { createSettle } from "./settle.ts";
import { sponsorRulesSchema } from "./sponsor-rules.ts";
import { findBookFor, listBooks, saveBook } from "./store-books.ts";
import { listBalances } from "./store-invoices.ts";
import { listPastQuotes } from "./store-quotes.ts";
import { findRules, listDecisions, saveRules } from "./store-sponsors.ts";
import { aBook, givenOffer } from "../../../../test/support/given-offer.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const thisMonth = () => new Date().toISOString().slice(0, 7);
const stateOf = async (id: string) => (await findAnyImport(db, sealer, id))?.state;
const system = (importId: string) => ({ importId, partnerId: null, actor: { kind: "system" } }) as const;
const ask = (offer: Awaited<ReturnType<typeof givenOffer>>, reference: string | null = null) =>
  askFull(db, {
    importId: offer.importId,
    partnerId: offer.partner.id,
    reference,
    payer: "partner_decides",
  });

test("a rule accepts within the customer's request, and the decision names the rule", async () => {
  const offer = await givenOffer(db, sealer, { records: 900 });
  await saveRules(
    db,
    offer.partner.id,
    sponsorRulesSchema.parse({ currency: "usd", rules: [{ name: "small ones", upToRecords: 1_000 }] }),
  );
  await ask(offer);
  expect(await stateOf(offer.importId)).toMatchObject({ status: "in_preparation", sponsorship: "accepted" });
  expect(await listDecisions(db, offer.partner.id, offer.importId)).toMatchObject([
    { decision: "accepted", rule: "small ones", actor: { kind: "rule" }, records: 900, cost: 14_900 },
  ]);
});

test("concurrent requests never spend the same remaining budget", async () => {
  const { partner } = await givenPartner(db);
  const offers = await Promise.all([givenOffer(db, sealer), givenOffer(db, sealer), givenOffer(db, sealer)]);
  for (const { importId } of offers)
    await db.pool.query("update imports set partner_id = $2 where id = $1", [importId, partner.id]);
  await saveRules(
    db,
    partner.id,
    sponsorRulesSchema.parse({ currency: "usd", monthlyBudget: 70_000, rules: [{ name: "all" }] }),
  );
  await Promise.all(offers.map((offer) => ask({ ...offer, partner })));
  const states = await Promise.all(offers.map(({ importId }) => stateOf(importId)));
  expect(states.filter((state) => state?.sponsorship === "accepted")).toHaveLength(2);
});

test("a repeated partner decision is recorded once", async () => {
  const { partner, importId } = await givenOffer(db, sealer);
  const actor = { kind: "partner", partnerId: partner.id } as const;
  const decide = (decision: "accepted" | "rejected") =>
    decideSponsorship(db, { importId, partnerId: partner.id, decision, actor });
  for (const word of ["accepted", "accepted", "rejected", "rejected"] as const) await decide(word);
  expect((await listDecisions(db, partner.id, importId)).map(({ decision }) => decision)).toEqual([
    "accepted",
    "rejected",
  ]);
});

test("a sponsored start is charged once; undoing an incomplete migration adds a credit line", async () => {
  const { partner, importId } = await givenOffer(db, sealer, { reference: "=cmd|x plan:pro" });
  const actor = { kind: "partner", partnerId: partner.id } as const;
  await ask({ partner, importId } as Awaited<ReturnType<typeof givenOffer>>);
  await decideSponsorship(db, { importId, partnerId: partner.id, decision: "accepted", actor });
  const happen = async (...events: Parameters<typeof moveImport>[1][]) => {
    for (const event of events) expect((await moveImport(db, event, system(importId))).kind).toBe("moved");
  };
  await happen({ type: "full_started" }, { type: "run_failed", wrote: true }, { type: "full_started" });
  expect((await makeInvoice(db, partner.id, thisMonth())).totals).toEqual([
    { currency: "usd", amount: 34_900 },
  ]);
  await happen({ type: "run_failed", wrote: true }, { type: "undo_started" }, { type: "run_done" });
  const invoice = await makeInvoice(db, partner.id, thisMonth());
  expect(invoice.lines.map(({ kind, amount, records }) => [kind, amount, records])).toEqual([
    ["charge", 34_900, 12_430],
    ["credit", -34_900, 12_430],
  ]);
  expect(invoice.totals).toEqual([{ currency: "usd", amount: 0 }]);
  const csv = invoiceCsv(invoice);
  expect(csv.split("\r\n")[1]).toContain(",'=cmd|x plan:pro,12430,");
  expect(csv.split("\r\n")[2]).toMatch(/,-34900,usd$/);
  // A new start is charged again.
  await happen({ type: "started_over" }, { type: "full_started" }, { type: "run_done" });
  expect((await makeInvoice(db, partner.id, thisMonth())).totals).toEqual([
    { currency: "usd", amount: 34_900 },
  ]);
  // Undoing a completed migration keeps the charge until the operator credits it.
  await happen({ type: "undo_started" }, { type: "run_done" });
  expect((await makeInvoice(db, partner.id, thisMonth())).totals).toEqual([
    { currency: "usd", amount: 34_900 },
  ]);
  const settle = createSettle({ db });
  expect(await settle.giveBack(importId, "operator", { kind: "operator" })).toEqual({ kind: "owed" });
  expect(await settle.giveBack(importId, "operator", { kind: "operator" })).toEqual({ kind: "not_owed" });
  expect((await makeInvoice(db, partner.id, thisMonth())).totals).toEqual([{ currency: "usd", amount: 0 }]);
});

test("a charge without a quote is priced once, by the records that moved", async () => {
  const { partner, importId } = await givenOffer(db, sealer);
  await db.pool.query("update quotes set replaced_at = now() where import_id = $1", [importId]);
  const actor = { kind: "partner", partnerId: partner.id } as const;
  await ask({ partner, importId } as Awaited<ReturnType<typeof givenOffer>>);
  await decideSponsorship(db, { importId, partnerId: partner.id, decision: "accepted", actor });
  await moveImport(db, { type: "full_started" }, system(importId));
  expect(await priceCharges(db)).toBe(0);
  await moveImport(db, { type: "run_done" }, system(importId));
  await db.pool.query(`update imports set items = '{"tickets": 5001, "comments": 90000}' where id = $1`, [
    importId,
  ]);
  expect([await priceCharges(db), await priceCharges(db)]).toEqual([1, 0]);
  expect((await makeInvoice(db, partner.id, thisMonth())).lines).toMatchObject([
    { kind: "charge", records: 5_001, amount: 34_900 },
  ]);
});

test("the partner gets at most one reminder a day, and only while its decision is pending", async () => {
  const offer = await givenOffer(db, sealer);
  expect((await remindPartner(db, offer.importId)).kind).toBe("not_waiting");
  await ask(offer);
  const events = async () =>
    (
      await db.pool.query("select from events where import_id = $1 and type = 'import.full_requested'", [
        offer.importId,
      ])
    ).rowCount;
  expect(await events()).toBe(1);
  const kinds = await Promise.all([remindPartner(db, offer.importId), remindPartner(db, offer.importId)]);
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(["sent", "too_soon"]);
  expect(await events()).toBe(2);
  await db.pool.query(
    "update partner_reminders set sent_at = sent_at - interval '1 day' where import_id = $1",
    [offer.importId],
  );
  expect((await remindPartner(db, offer.importId)).kind).toBe("sent");
});

test("a partner sees and changes only its own prices, quotes, rules, decisions and invoices", async () => {
  const mine = await givenOffer(db, sealer);
  const other = await givenOffer(db, sealer);
  const special = { ...aBook, packages: aBook.packages.map((each) => ({ ...each, amount: 1 })) };
  await saveBook(db, { partnerId: mine.partner.id, book: special, by: "test" });
  expect((await findBookFor(db.sql, mine.partner.id))?.packages[0]?.amount).toBe(1);
  expect((await findBookFor(db.sql, other.partner.id))?.packages[0]?.amount).toBe(14_900);
  expect(await listBooks(db, { partnerId: other.partner.id, limit: 10 })).toEqual([]);
  expect(await listPastQuotes(db, other.partner.id, 30)).toHaveLength(1);
  await saveRules(
    db,
    mine.partner.id,
    sponsorRulesSchema.parse({ currency: "usd", rules: [{ name: "all" }] }),
  );
  expect(await findRules(db, other.partner.id)).toBeUndefined();
  const actor = { kind: "partner", partnerId: other.partner.id } as const;
  const foreign = await decideSponsorship(db, {
    importId: mine.importId,
    partnerId: other.partner.id,
    decision: "accepted",
    actor,
  });
  expect(foreign.kind).toBe("missing");
  await ask(mine);
  await moveImport(db, { type: "full_started" }, system(mine.importId));
  expect(await listDecisions(db, other.partner.id, mine.importId)).toEqual([]);
  expect((await makeInvoice(db, mine.partner.id, thisMonth())).lines).toHaveLength(1);
  expect((await makeInvoice(db, other.partner.id, thisMonth())).lines).toEqual([]);
  expect(await listBalances(db, { importId: null, partnerId: other.partner.id })).toEqual([]);
});

test("the database refuses unbalanced postings and changes to past ones", async () => {
  const { partner, importId } = await givenOffer(db, sealer);
  const posting = await db.pool.query<{ id: number }>(
    `insert into money_postings (kind, reference, import_id, actor) values ('x', 'x', $1, '{}') returning id`,
    [importId],
  );
  const line = `insert into money_entries (posting_id, import_id, partner_id, account, amount, currency)
    values ($1, $2, $3, 'tax', 5, 'usd')`;
  await expect(db.pool.query(line, [posting.rows[0]?.id, importId, partner.id])).rejects.toThrow("add up");
  await expect(db.pool.query("delete from money_postings where reference = 'x'")).rejects.toThrow(
    "stays there",
  );
  const about = {
    kind: "y",
    importId,
    partnerId: partner.id,
    currency: "usd",
    actor: { kind: "system" },
  } as const;
  const lines = [{ account: "tax", amount: 5 }] as const;
  await expect(
    db.sql.transaction().execute((tx) => post(tx, { ...about, reference: "y", lines })),
  ).rejects.toThrow("add up");
});
