import { expect, test } from "vitest";
import { createLocalLimiter } from "./limiter.ts";

const never = new AbortController().signal;
const nothing = { status: 200, retryAfterMs: null, remaining: null, resetMs: null };

test("starts are spaced, so that no window sees more than the limit", async () => {
  const limiter = createLocalLimiter([{ requests: 10, perMs: 200 }], 100);
  const starts = await Promise.all(
    Array.from({ length: 15 }, async () => {
      await limiter.take("read", never);
      return performance.now();
    }),
  );
  const sorted = starts.toSorted((a, b) => a - b);
  expect((sorted[10] ?? 0) - (sorted[0] ?? 0)).toBeGreaterThanOrEqual(190);
});

test("a limit on writes leaves reads alone", async () => {
  const limiter = createLocalLimiter([{ requests: 1, perMs: 60_000, only: "write" }], 100);
  await limiter.take("write", never);
  const over = new AbortController();
  let isOver = false;
  const nextWrite = limiter
    .take("write", over.signal)
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  for (let i = 0; i < 5; i += 1) await limiter.take("read", never);
  expect(isOver).toBe(false);
  over.abort();
  await nextWrite;
});

test("no more at a time than the tool takes", async () => {
  const limiter = createLocalLimiter([], 2);
  const first = await limiter.take("read", never);
  await limiter.take("read", never);
  let third = false;
  const waiting = limiter.take("read", never).then(() => {
    third = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(third).toBe(false);
  first.release();
  await waiting;
  expect(third).toBe(true);
});

test.each([[{ ...nothing, status: 429, retryAfterMs: 100 }], [{ ...nothing, remaining: 0, resetMs: 100 }]])(
  "waits when told so: %j",
  async (answer) => {
    const limiter = createLocalLimiter([], 2);
    limiter.learn(answer);
    const started = performance.now();
    await limiter.take("read", never);
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
  },
);

test("a wait that is given up frees its place", async () => {
  const limiter = createLocalLimiter([], 1);
  limiter.learn({ ...nothing, status: 429, retryAfterMs: 150 });
  await expect(limiter.take("read", AbortSignal.timeout(20))).rejects.toThrow();
  await limiter.take("read", never);
});

test("who gives up while all places are taken is not waited for, and takes nobody's turn", async () => {
  const limiter = createLocalLimiter([], 1);
  const first = await limiter.take("read", never);
  const gaveUp = limiter.take("read", AbortSignal.timeout(20));
  const next = limiter.take("read", never);
  await expect(gaveUp).rejects.toThrow();
  first.release();
  await next;
});
