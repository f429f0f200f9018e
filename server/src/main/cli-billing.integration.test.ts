import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { givenCheckout, givenQuote } from "../../../test/stripe/given-checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { givenPartner } from "../../../test/support/fixtures.ts";
import { createProgram } from "../../../test/support/program.ts";
import { createSettle } from "../features/billing/index.ts";
import { createManual } from "../features/payment-providers/index.ts";
import { moveImport, reissueLink } from "../features/imports/index.ts";
import { createSealer } from "../platform/seal.ts";
import { readPart } from "./config.ts";

let db: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  db = await createTestDatabase();
  env = { DATABASE_URL: db.url, PORTAGE_KEYS: `test:${randomBytes(32).toString("base64")}` };
});
afterAll(() => db.drop());

const { withStdin, run, json, give } = createProgram(() => env);
const sealer = () => createSealer(readPart(["PORTAGE_KEYS"], env).PORTAGE_KEYS);

const book = {
  currency: "usd",
  packages: [
    { id: "small", name: "Small", upToRecords: 1_000, amount: 14_900 },
    { id: "large", name: "Large", upToRecords: null, amount: 79_000 },
  ],
  quoteDays: 14,
  refundDays: 30,
};

const partnerOf = async (importId: string) => {
  const { rows } = await db.pool.query<{ id: string }>("select partner_id as id from imports where id = $1", [
    importId,
  ]);
  return rows[0]?.id ?? "";
};

/** An import with a completed sample and a quote. */
const givenPriced = async () => {
  const priced = await givenQuote(db, sealer());
  await reissueLink(db, sealer(), priced.importId);
  return priced;
};

/** A customer who has asked to pay by invoice. */
const givenOrder = async () => {
  const quoted = await givenPriced();
  await givenCheckout(db, createManual(), quoted);
  return quoted.importId;
};

describe("price books", () => {
  test("sets a default book and a partner's book, and lists replaced ones", async () => {
    const { partner } = await givenPartner(db);
    const none = await run("billing", "book", "show", partner.id);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("portage billing book set")]);
    const all = await give<{ id: string }>(book, "billing", "book", "set");
    expect(await json("billing", "book", "show", partner.id)).toMatchObject({ id: all.id, partner: null });
    const own = await give<{ id: string }>(book, "billing", "book", "set", "--partner", partner.id);
    expect(await json("billing", "book", "show", partner.id)).toMatchObject({ id: own.id });
    await give({ ...book, currency: "eur" }, "billing", "book", "set", "--partner", partner.id);
    const { books } = await json<{ books: { id: string; replaced_at: string | null }[] }>(
      "billing",
      "book",
      "list",
      "--partner",
      partner.id,
    );
    expect(books.find(({ id }) => id === own.id)?.replaced_at).not.toBeNull();
    expect((await run("billing", "book", "show", partner.id)).stdout).toContain("79000");
  });

  test.each([
    ["not JSON", "{", "stdin has no valid JSON."],
    ["nothing for sale", JSON.stringify({ ...book, packages: [] }), "packages must have a package"],
    [
      "a price in fractions",
      JSON.stringify({ ...book, packages: [{ ...book.packages[0], amount: 1.5 }] }),
      "packages.0.amount must be a whole number of minor units",
    ],
    [
      "packages in the wrong order",
      JSON.stringify({ ...book, packages: book.packages.toReversed() }),
      "must go from the smallest to the largest",
    ],
  ])("%s is rejected with the reason", async (_, input, why) => {
    const { code, stderr } = await withStdin(input, "billing", "book", "set");
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});

test("sets and shows a partner's sponsor rules, and previews their cost", async () => {
  const { importId } = await givenPriced();
  const partner = await partnerOf(importId);
  const unset = await run("billing", "sponsor-rules", "show", partner);
  expect([unset.code, unset.stderr]).toEqual([1, expect.stringContaining("asks it each time")]);
  const rules = {
    rules: [{ name: "small ones", upToRecords: 500 }],
    monthlyBudget: 100_000,
    currency: "eur",
  };
  await give(rules, "billing", "sponsor-rules", "set", partner);
  expect(await json("billing", "sponsor-rules", "show", partner)).toMatchObject({ monthlyBudget: 100_000 });
  expect(await json("billing", "sponsor-rules", "preview", partner)).toMatchObject({
    imports: 1,
    accepted: 1,
    cost: 14_900,
    currency: "eur",
  });
  const stricter = { ...rules, rules: [{ name: "tiny ones", upToRecords: 10 }] };
  expect(await give(stricter, "billing", "sponsor-rules", "preview", partner, "--stdin")).toMatchObject({
    imports: 1,
    accepted: 0,
    cost: 0,
  });
  const refused = await withStdin("{}", "billing", "sponsor-rules", "set", partner);
  expect(refused.code).toBe(2);
});

describe("money that the operator moves", () => {
  test("records a payment once, refunds it and records the refund; the ledger balances at every step", async () => {
    const importId = await givenOrder();
    const sum = async () => {
      const { balances } = await json<{ balances: { amount: number }[] }>(
        "billing",
        "ledger",
        "--import",
        importId,
      );
      return balances.reduce((total, { amount }) => total + amount, 0);
    };
    expect(await json("billing", "mark-paid", importId, "--tax", "2831")).toMatchObject({
      settled: "bought",
    });
    expect(await json("billing", "mark-paid", importId)).toMatchObject({ settled: "known" });
    expect(await json("import", "show", importId)).toMatchObject({ bought: true });
    expect(await sum()).toBe(0);
    const { refunds } = await json<{ refunds: { id: string; amount: number; state: string }[] }>(
      "billing",
      "refund",
      importId,
    );
    expect(refunds).toMatchObject([{ amount: 17_731 }]);
    expect(await sum()).toBe(0);
    const [refund] = refunds;
    expect(await json("billing", "refund", importId, "--done", refund?.id ?? "")).toMatchObject({
      refunds: [{ state: "done" }],
    });
    expect(await json("import", "show", importId)).toMatchObject({ bought: false });
    expect(await sum()).toBe(0);
    expect((await run("billing", "ledger", "--import", importId)).stdout).toContain("customer_paid");
  });

  test("a missing checkout, refund or import fails with the reason", async () => {
    const { importId } = await givenPriced();
    const unasked = await run("billing", "mark-paid", importId);
    expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining("has not asked to pay")]);
    const nothing = await run("billing", "refund", importId);
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining("Nothing to refund")]);
    const unknown = await run("billing", "refund", importId, "--done", "ref_none");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("has no refund")]);
    expect((await run("billing", "mark-paid", "imp_none")).stderr).toContain("There is no import");
  });
});

test("a partner's monthly invoice lists a sponsored import, as JSON and as CSV", async () => {
  const { importId } = await givenPriced();
  const partner = await partnerOf(importId);
  for (const type of ["sponsorship_accepted", "full_started"] as const) {
    const asked = { importId, partnerId: null, actor: { kind: "operator" } } as const;
    if (type === "full_started")
      await moveImport(db, { type: "full_asked", payer: "partner_decides" }, asked);
    expect(await moveImport(db, { type }, asked)).toMatchObject({ kind: "moved" });
  }
  const month = new Date().toISOString().slice(0, 7);
  expect(await json("billing", "invoice", partner, "--month", month)).toMatchObject({
    lines: [{ import: importId, amount: 14_900, currency: "eur" }],
    totals: [{ currency: "eur", amount: 14_900 }],
  });
  const csv = await run("billing", "invoice", partner, "--month", month, "--csv");
  expect(csv.stdout.trim().split(/\r?\n/)).toHaveLength(2);
  expect(csv.stdout).toContain(importId);
  const wrong = await run("billing", "invoice", partner, "--month", "last");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("2026-11")]);
});

test("quotes an import, also for a given number of records", async () => {
  const { importId } = await givenPriced();
  expect(await json("billing", "quote", importId)).toMatchObject({ quote: { amount: 14_900, records: 400 } });
  await give(book, "billing", "book", "set", "--partner", await partnerOf(importId));
  expect(await json("billing", "quote", importId, "--records", "5000")).toMatchObject({
    quote: { amount: 14_900 },
  });
  // A quote keeps its price until it expires.
  await db.pool.query("update quotes set valid_until = now() where import_id = $1", [importId]);
  const larger = await json("billing", "quote", importId, "--records", "5000");
  expect(larger).toMatchObject({ quote: { amount: 79_000, records: 5_000, currency: "usd" } });
});

test("lists disputed payments", async () => {
  const importId = await givenOrder();
  await json("billing", "mark-paid", importId);
  const { rows } = await db.pool.query<{ id: string }>("select id from checkouts where import_id = $1", [
    importId,
  ]);
  const dispute = {
    reference: "dp_1",
    reason: "fraudulent",
    amount: 14_900,
    currency: "eur",
    openedAt: new Date(),
  };
  const settle = (kind: "open" | "lost") =>
    createSettle({ db }).disputed({
      checkout: { checkoutId: rows[0]?.id ?? "" },
      actor: { kind: "provider", provider: "stripe" },
      dispute: { ...dispute, kind, isWithdrawn: true },
    });
  expect(await settle("open")).toEqual({ kind: "disputed", state: "open" });
  const listed = { disputes: [{ id: "dp_1", import: importId, state: "open" }] };
  expect(await json("billing", "disputes", "--undecided")).toMatchObject(listed);
  await settle("lost");
  // Of two at the same time each is listed once, page by page.
  await db.pool.query(
    `insert into disputes select provider, 'dp_2', checkout_id, import_id, state, reason, amount, currency, withdrawn, postings,
     opened_at, changed_at from disputes where reference = 'dp_1'`,
  );
  expect(await run("billing", "disputes", "--after", "dp_none")).toMatchObject({ code: 2 });
  expect((await run("billing", "disputes", "--limit", "1")).stderr).toBe("There are more: --after dp_2\n");
  const first = await json("billing", "disputes", "--limit", "1");
  expect(first).toMatchObject({ disputes: [{ id: "dp_2" }], next: "dp_2" });
  expect(await json("billing", "disputes", "--limit", "1", "--after", "dp_2")).toMatchObject({
    disputes: [{ id: "dp_1" }],
    next: null,
  });
  await db.pool.query("delete from disputes where reference = 'dp_2'");
  expect(await json("billing", "disputes", "--undecided")).toEqual({ disputes: [], next: null });
  const shown = await run("billing", "disputes", "--import", importId);
  expect(shown.stdout).toMatch(/^dp_1 .* lost .* fraudulent .* 14900 /m);
});
