import type {
  WizardBought,
  WizardChoiceValues,
  WizardChosenCounts,
  WizardMatching,
  WizardPurchase,
} from "@portage/contract/wizard";
import { beforeAll, describe, expect, test } from "vitest";
import { type RunWizard, useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { testSigner } from "../../../../../test/support/fixtures.ts";
import { fixQuote, priceBookSchema, saveBook } from "../../../features/billing/index.ts";
import { PaymentUnavailable } from "../../../features/payment-providers/index.ts";
import { createCashDesk } from "../../../../../test/support/cash-desk.ts";

const desk = createCashDesk({ taxPercent: 19 });
const wizard = useRunWizard({}, testSigner(), 20_000, desk.provider);
const counts = {
  users: 4,
  tickets: 30,
  comments: 20,
  contacts: 7,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const book = priceBookSchema.parse({
  currency: "usd",
  packages: [
    { id: "tiny", name: "Up to 10", upToRecords: 10, amount: 900 },
    { id: "small", name: "Up to 100", upToRecords: 100, amount: 14_900 },
    { id: "large", name: "Up to 1,000", upToRecords: 1_000, amount: 34_900 },
  ],
});
beforeAll(async () => {
  await saveBook(wizard.runs.db, { partnerId: null, book, by: "test" });
});

/** An import whose partner decides on sponsorship and has not decided yet. */
const beginUndecided = async () => {
  const one = await wizard.begin({ source: { counts } });
  const { pool } = wizard.runs.db;
  await pool.query("update partners set payer = 'partner_decides'");
  await pool.query("update imports set sponsorship = 'undecided', asked = false where id = $1", [
    one.importId,
  ]);
  return one;
};
const begin = async () => {
  const one = await beginUndecided();
  await wizard.runs.db.pool.query(
    "update imports set status = 'sample_completed', sample_copy = 'all', live_run = null, stopping = null where id = $1",
    [one.importId],
  );
  return one;
};
const purchase = async (one: RunWizard) => (await one.ask("GET", "/purchase")).json as WizardPurchase;
const offered = async (one: RunWizard) => {
  await expect.poll(async () => (await purchase(one)).kind, { timeout: 600_000 }).toBe("offer");
  return (await purchase(one)) as Extract<WizardPurchase, { kind: "offer" }>;
};
const order = (one: RunWizard, quoteId: string, packageId = "small") =>
  one.ask("POST", "/purchase", { quoteId, packageId });
const referenceOf = (url: string) => url.split("/").at(-1) ?? "";

describe("an offer", () => {
  test("counts the billable records, and marks packages as fitting, too small or larger", async () => {
    const { quote, checkout, receipt } = await offered(await begin());
    expect(quote).toMatchObject({ records: 30, countedAs: ["Tickets"], amount: 14_900, packageId: "small" });
    expect(quote.packages.map(({ fits }) => fits)).toEqual(["too_small", "fits", "larger"]);
    expect(quote.included).toContain("Comments");
    expect([checkout, receipt]).toEqual([null, null]);
  });

  test("does not exist before the sample", async () => {
    const one = await beginUndecided();
    expect(await purchase(one)).toMatchObject({ kind: "none", why: "no_sample" });
    expect((await order(one, "quo_x")).status).toBe(409);
  });
});

describe("the price of a choice", () => {
  const everything = { streams: null };
  const priceOf = async (one: RunWizard, selection: object) => {
    const ask = async () =>
      (await one.ask("POST", "/choices/count", { selection })).json as WizardChosenCounts;
    await expect.poll(async () => (await ask()).reading, { timeout: 600_000 }).toBe(false);
    return (await ask()).price;
  };
  const paying = async (payer: string) => {
    const one = await begin();
    await wizard.runs.db.pool.query("update partners set payer = $1", [payer]);
    return one;
  };

  test("follows what is chosen, before it is saved, and fixes nothing", async () => {
    const one = await paying("customer");
    expect(await priceOf(one, everything)).toEqual({ name: "Up to 100", amount: 14_900, currency: "usd" });
    const { statuses } = (await one.ask("GET", "/choices/values")).json as WizardChoiceValues;
    const few = { statuses: { mode: "only", values: [statuses?.[0]?.value ?? ""] } };
    expect(await priceOf(one, few)).toEqual({ name: "Up to 10", amount: 900, currency: "usd" });
    const { rows } = await wizard.runs.db.pool.query("select from quotes where import_id = $1", [
      one.importId,
    ]);
    expect(rows).toEqual([]);
  });

  test("is not shown where the customer does not buy", async () => {
    expect(await priceOf(await paying("partner_decides"), everything)).toBeNull();
    expect(await priceOf(await paying("partner"), everything)).toBeNull();
  });
});

describe("buying", () => {
  test("two tabs share one checkout; on return the import is paid, with a receipt", async () => {
    const one = await begin();
    const { quote } = await offered(one);
    const [first, second] = await Promise.all([order(one, quote.id), order(one, quote.id)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    const { url } = first.json as Extract<WizardBought, { kind: "redirect" }>;
    expect((second.json as { url: string }).url).toBe(url);
    const { checkout } = await purchase(one);
    desk.pay(referenceOf(url));
    const back = await one.ask("POST", "/purchase/return", { checkoutId: checkout?.id });
    expect(back.json).toMatchObject({
      kind: "paid",
      paidTwice: false,
      mayRefund: true,
      receipt: { amount: 14_900, tax: 2_831, total: 17_731, refund: null },
    });
    expect((await order(one, quote.id)).status).toBe(409);
    const given = await one.ask("POST", "/purchase/refund");
    expect(given.json).toMatchObject({ receipt: { refund: { state: "due", amount: 17_731 } } });
    expect((await one.ask("POST", "/purchase/refund")).status).toBe(409);
  });

  test("requests after a return ask the provider again only after five seconds", async () => {
    const one = await begin();
    const { quote } = await offered(one);
    const { url } = (await order(one, quote.id)).json as Extract<WizardBought, { kind: "redirect" }>;
    const { checkout } = await purchase(one);
    const before = desk.looks();
    const back = () => one.ask("POST", "/purchase/return", { checkoutId: checkout?.id });
    const many = await Promise.all([1, 2, 3, 4, 5].map(back));
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(desk.looks() - before).toBe(1);
    desk.pay(referenceOf(url));
    expect((await back()).json).toMatchObject({ kind: "offer" });
    const { pool } = wizard.runs.db;
    await pool.query(`update checkouts set looked_at = looked_at - interval '5 seconds' where id = $1`, [
      checkout?.id,
    ]);
    expect((await back()).json).toMatchObject({ kind: "paid" });
    await back();
    expect(desk.looks() - before).toBe(2);
  });

  test("settles what moves: the choice can't be widened after payment, and again after a refund", async () => {
    const one = await begin();
    await one.ask("POST", "/mapping/facts");
    const choose = () => one.ask("PUT", "/selection", { based: 0, selection: { streams: null } });
    const { quote } = await offered(one);
    const { url } = (await order(one, quote.id)).json as Extract<WizardBought, { kind: "redirect" }>;
    const { checkout } = await purchase(one);
    desk.pay(referenceOf(url));
    await one.ask("POST", "/purchase/return", { checkoutId: checkout?.id });
    expect(await choose()).toMatchObject({
      status: 422,
      json: { base: [expect.stringContaining("paid for as you chose it")] },
    });
    await one.ask("POST", "/purchase/refund");
    expect((await choose()).status).toBe(200);
  });

  /** Narrows the choice, so that a smaller package fits. */
  const choosing = async (one: RunWizard) => {
    await one.ask("POST", "/mapping/facts");
    await expect
      .poll(async () => (await one.ask("GET", "/choices/values")).json, { timeout: 600_000 })
      .toMatchObject({ state: "read" });
    const { statuses } = (await one.ask("GET", "/choices/values")).json as WizardChoiceValues;
    const values = [statuses?.[0]?.value ?? ""];
    const choose = (based: number, selection: object) => one.ask("PUT", "/selection", { based, selection });
    return { choose, few: { statuses: { mode: "only", values } }, everything: { streams: null } };
  };

  test("a choice that changes before the payment makes another price, and the open payment page can't be paid", async () => {
    const one = await begin();
    const { choose, few, everything } = await choosing(one);
    expect((await choose(0, few)).status).toBe(200);
    const { quote } = await offered(one);
    expect(quote).toMatchObject({ amount: 900, packageId: "tiny" });
    const { url } = (await order(one, quote.id, "tiny")).json as { url: string };
    // As it is: the page stays open.
    expect((await choose(1, few)).status).toBe(200);
    expect((await choose(1, everything)).status).toBe(200);
    expect(desk.pay(referenceOf(url))).toBe(false);
    expect((await order(one, quote.id, "tiny")).status).toBe(409);
    expect((await offered(one)).quote).toMatchObject({ amount: 14_900, packageId: "small" });
  });

  test("a choice can't change if it turns out to be paid, by whichever route", async () => {
    const one = await begin();
    const { choose, few, everything } = await choosing(one);
    await choose(0, few);
    const { quote } = await offered(one);
    const { url } = (await order(one, quote.id, "tiny")).json as { url: string };
    // Portage has not heard of it yet.
    desk.pay(referenceOf(url));
    expect(await choose(1, everything)).toMatchObject({ status: 422 });
    expect((await purchase(one)).kind).toBe("paid");
    const { mapping } = (await one.ask("GET", "/mapping")).json as WizardMatching;
    const change = (selection: object) =>
      one.ask("PUT", "/mapping", { based: 1, mapping: { ...mapping, selection } });
    expect(await change({ ...mapping.selection, statuses: null })).toMatchObject({
      status: 422,
      json: {
        problems: [{ path: ["selection"], message: expect.stringContaining("paid for as you chose it") }],
      },
    });
    expect((await change(mapping.selection)).status).toBe(200);
  });

  test("a choice does not change while its payment page can't be closed", async () => {
    const one = await begin();
    const { choose, few, everything } = await choosing(one);
    await choose(0, few);
    const { quote } = await offered(one);
    await order(one, quote.id, "tiny");
    const { expire } = desk.provider;
    desk.provider.expire = () => Promise.reject(new PaymentUnavailable("cash desk", "down"));
    expect((await choose(1, everything)).status).toBe(409);
    desk.provider.expire = expire;
    expect((await choose(1, everything)).status).toBe(200);
  });

  test("a choice that changes while its records are counted does not get their price", async () => {
    const one = await begin();
    const { choose, few } = await choosing(one);
    const { rows } = await wizard.runs.db.pool.query<{ partnerId: string }>(
      'select partner_id as "partnerId" from imports where id = $1',
      [one.importId],
    );
    const fixed = await fixQuote({
      db: wizard.runs.db,
      countRecords: async () => {
        await choose(0, few);
        return { kind: "counted", records: 30 };
      },
    })({ id: one.importId, partnerId: rows[0]?.partnerId ?? "", family: "helpdesk" });
    expect(fixed).toEqual({ kind: "none", why: "counting" });
    expect((await offered(one)).quote.amount).toBe(900);
  });

  test("changing the package opens another checkout, and the first can no longer be paid", async () => {
    const one = await begin();
    const { quote } = await offered(one);
    const first = (await order(one, quote.id)).json as { url: string };
    const second = (await order(one, quote.id, "large")).json as { url: string };
    expect(second.url).not.toBe(first.url);
    expect(desk.pay(referenceOf(first.url))).toBe(false);
    expect(desk.pay(referenceOf(second.url))).toBe(true);
  });

  test("rejects a package that is too small, an expired quote, and a checkout of another import", async () => {
    const one = await begin();
    const other = await begin();
    const { quote } = await offered(one);
    expect((await order(one, quote.id, "tiny")).status).toBe(409);
    await order(one, quote.id);
    const { checkout } = await purchase(one);
    expect((await other.ask("POST", "/purchase/return", { checkoutId: checkout?.id })).status).toBe(404);
    const { quote: theirs } = await offered(other);
    expect((await order(other, quote.id)).status).toBe(409);
    await wizard.runs.db.pool.query("update quotes set valid_until = now() where id = $1", [theirs.id]);
    expect((await order(other, theirs.id)).status).toBe(409);
    expect((await offered(other)).quote.id).not.toBe(theirs.id);
  });
});

test("notifies the partner once, and reminds it at most once a day", async () => {
  const one = await begin();
  expect((await offered(one)).quote.mayAskPartner).toBe(true);
  expect((await one.ask("POST", "/remind-partner")).status).toBe(409);
  await one.ask("POST", "/ask-full");
  expect(await purchase(one)).toMatchObject({ reminder: { sentAt: null, may: true } });
  expect((await one.ask("POST", "/remind-partner")).status).toBe(200);
  expect((await one.ask("POST", "/remind-partner")).status).toBe(409);
  expect((await purchase(one)).reminder.may).toBe(false);
});
