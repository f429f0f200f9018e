import { expect, test } from "vitest";
import { quickRules } from "./quick-rules.ts";

test("only times change", () => {
  const rule = (wait: string, range: string, age: number) =>
    `        expr: 'sum(increase(a[${range}])) > 3 or a unless a offset ${range} or max(b) > ${age} or c > 0.05'\n        for: ${wait}\n`;
  expect(quickRules(rule("10m", "15m", 3_600))).toBe(rule("1s", "30s", 120));
});
