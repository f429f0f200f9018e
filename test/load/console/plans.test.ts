import { expect, test } from "vitest";
import { readPlan } from "./plans.ts";

const entry = (plan: object) =>
  ` LOG:  duration: 1.250 ms  plan:\n\t${JSON.stringify({ "Query Text": "select *\n  from x", Plan: plan }, null, 2).replaceAll("\n", "\n\t")}\n`;

test("finds a scan at any depth, and takes a leaf of the ledger for the ledger", () => {
  const seen = readPlan(
    entry({
      "Node Type": "Limit",
      "Actual Rows": 1,
      "Actual Loops": 1,
      Plans: [
        {
          "Node Type": "Nested Loop",
          Plans: [
            {
              "Node Type": "Seq Scan",
              "Relation Name": "ledger_2026_01_3",
              "Actual Rows": 2,
              "Actual Loops": 1,
            },
            {
              "Node Type": "Index Scan",
              "Relation Name": "imports",
              "Actual Rows": 1,
              "Actual Loops": 2,
              "Rows Removed by Filter": 4,
            },
          ],
        },
      ],
    }),
  );
  expect(seen).toEqual({ text: "select * from x", scanned: ["ledger"], touched: 12, ms: 1.25 });
});

test("an entry that is no plan is none", () => {
  expect(readPlan(" LOG:  checkpoint starting: time")).toBeUndefined();
});
