import { expect, test } from "vitest";
import { resultOf } from "./actions.tsx";
import { offeredMoney } from "./money.tsx";

type Judged = Parameters<typeof offeredMoney>[0];

const checkout = (id: string, state: string, provider = "stripe"): Judged["checkouts"][number] => ({
  id,
  provider,
  state,
  amount: 100,
  currency: "eur",
  tax: null,
  created_at: "2026-11-01T00:00:00Z",
  paid_at: null,
});
const refund = (of: string, state: string): Judged["refunds"][number] => ({
  id: `ref_${of}`,
  checkout: of,
  amount: 100,
  reason: "operator",
  state,
  attempts: 1,
  done_at: null,
});
const names = (given: Judged) => offeredMoney(given).map(({ name }) => name);

test("each payment is given back once, also one that followed a refund", () => {
  const [first, second] = [checkout("a", "paid"), checkout("b", "paid")];
  expect(names({ checkouts: [first], refunds: [] })).toEqual(["refund"]);
  expect(names({ checkouts: [first], refunds: [refund("a", "done")] })).toEqual([]);
  expect(names({ checkouts: [second, first], refunds: [refund("a", "done")] })).toEqual(["refund"]);
});

test("only what was paid by invoice is recorded by hand", () => {
  expect(names({ checkouts: [checkout("a", "open", "manual")], refunds: [] })).toEqual(["markPaid"]);
  expect(names({ checkouts: [checkout("a", "open")], refunds: [] })).toEqual([]);
  const refunds = [refund("a", "asked")];
  expect(names({ checkouts: [checkout("a", "paid", "manual")], refunds })).toEqual(["refundDone"]);
  expect(names({ checkouts: [checkout("a", "paid")], refunds })).toEqual([]);
});

test("a payment that buys nothing is not shown as one that does", () => {
  const texts = { done: "done", unchanged: "unchanged", dueBack: "due back" };
  const textOf = (settled: string) => resultOf({ settled }, texts).text;
  expect(["bought", "known", "due_back"].map(textOf)).toEqual(["done", "unchanged", "due back"]);
});
