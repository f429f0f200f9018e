import fc from "fast-check";
import { expect, test } from "vitest";
import { priceBookSchema } from "./price-book.ts";
import { holds, quoteFor } from "./quote.ts";
import { decideByRules, planTagOf, previewCost, sponsorRulesSchema } from "./sponsor-rules.ts";
import { aBook } from "../../../../test/support/given-offer.ts";

const rules = sponsorRulesSchema.parse({
  currency: "usd",
  monthlyBudget: 50_000,
  rules: [
    { name: "small ones", upToRecords: 1_000 },
    { name: "pro plan", planTag: "pro", upToCost: 40_000 },
  ],
});
const asked = { records: 900, cost: 14_900, currency: "usd", planTag: null };

test("the first matching rule accepts; without one the partner decides", () => {
  expect(decideByRules(rules, asked, 0)).toEqual({ kind: "accept", rule: "small ones" });
  expect(decideByRules(rules, { ...asked, records: 1_001 }, 0)).toEqual({
    kind: "leave",
    why: "no_rule_fits",
  });
  const pro = { ...asked, records: 9_000, cost: 34_900, planTag: "pro" };
  expect(decideByRules(rules, pro, 0)).toEqual({ kind: "accept", rule: "pro plan" });
  expect(decideByRules(rules, { ...pro, cost: 40_001 }, 0).kind).toBe("leave");
  expect(decideByRules(rules, { ...asked, currency: "eur" }, 0)).toEqual({
    kind: "leave",
    why: "other_currency",
  });
});

test("rules never promise more than the monthly budget", () => {
  const past = fc.array(
    fc.record({
      records: fc.nat(2_000),
      cost: fc.integer({ min: 1, max: 30_000 }),
      day: fc.integer({ min: 1, max: 60 }),
    }),
  );
  fc.assert(
    fc.property(past, (given) => {
      const quotes = given
        .toSorted((a, b) => a.day - b.day)
        .map(({ day, ...each }) => ({ ...asked, ...each, at: new Date(Date.UTC(2026, 0, day)) }));
      const preview = previewCost(rules, quotes);
      // Sixty days touch at most three months.
      expect(preview.cost).toBeLessThanOrEqual(3 * 50_000);
      const { no_rule_fits, over_budget, other_currency } = preview.left;
      expect(preview.accepted + no_rule_fits + over_budget + other_currency).toBe(quotes.length);
    }),
  );
  expect(decideByRules(rules, asked, 50_000 - 14_900).kind).toBe("accept");
  expect(decideByRules(rules, asked, 50_000 - 14_899)).toEqual({ kind: "leave", why: "over_budget" });
});

test("the plan tag is the word plan:… of the reference", () => {
  expect(planTagOf("crm-17 plan:pro")).toBe("pro");
  expect(planTagOf("plan:pro plan:free")).toBe("pro");
  for (const other of [null, "", "myplan:pro", "plan:", "plan: pro"]) expect(planTagOf(other)).toBeNull();
});

test("a quote takes the smallest package that holds the count", () => {
  fc.assert(
    fc.property(fc.nat(60_000), (records) => {
      const priced = quoteFor(aBook, records);
      const fitting = aBook.packages.filter((each) => holds(each, records));
      if (priced.kind === "too_large") expect(fitting).toEqual([]);
      else expect(priced.package).toBe(fitting[0]);
    }),
  );
});

test("the schema refuses an invalid price book", () => {
  const [small, medium] = aBook.packages;
  const refused = (change: object) =>
    expect(priceBookSchema.safeParse({ currency: "usd", packages: [small, medium], ...change }).success).toBe(
      false,
    );
  refused({ packages: [] });
  refused({ packages: [medium, small] });
  refused({ packages: [{ ...small, upToRecords: null }, medium] });
  refused({ packages: [small, { ...medium, id: small?.id }] });
  refused({ packages: [{ ...small, amount: 149.5 }] });
  refused({ packages: [{ ...small, amount: 0 }] });
  refused({ currency: "USD" });
  refused({ counts: { helpdesk: ["tasks"] } });
});
