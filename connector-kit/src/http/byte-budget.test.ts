import { setImmediate as tick } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

const never = new AbortController().signal;

test("never more than the total is held, and every one gets its turn", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 40 }), async (sizes) => {
      const budget = createByteBudget(100);
      let most = 0;
      await Promise.all(
        sizes.map(async (bytes) => {
          const release = await budget.take(bytes, never);
          most = Math.max(most, budget.held());
          await tick();
          release();
          release();
        }),
      );
      expect(most).toBeLessThanOrEqual(100);
      expect(budget.held()).toBe(0);
    }),
  );
});

test("a large one is not overtaken by small ones for ever", async () => {
  const budget = createByteBudget(100);
  const first = await budget.take(60, never);
  const order: string[] = [];
  const large = budget.take(100, never).then((release) => {
    order.push("large");
    release();
  });
  const small = budget.take(10, never).then((release) => {
    order.push("small");
    release();
  });
  first();
  await Promise.all([large, small]);
  expect(order).toEqual(["large", "small"]);
});

test("an aborted one leaves the line and holds nothing", async () => {
  const budget = createByteBudget(100);
  const first = await budget.take(100, never);
  const aborted = new AbortController();
  const waiting = budget.take(100, aborted.signal);
  const behind = budget.take(40, never);
  aborted.abort(new Error("late"));
  await expect(waiting).rejects.toThrow("late");
  await expect(budget.take(1, aborted.signal)).rejects.toThrow("late");
  first();
  (await behind)();
  expect(budget.held()).toBe(0);
});
