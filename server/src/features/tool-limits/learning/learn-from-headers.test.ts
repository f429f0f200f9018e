import { expect, test } from "vitest";
import { type AccountState, freshState } from "../state/account-state.ts";
import { learnFromHeaders } from "./learn-from-headers.ts";
import { addUse, bucketOf } from "../state/usage.ts";

const startMs = 1_700_000_000_000;
const at = (second: number) => startMs + second * 1_000;

/** Requests at a steady pace, in seconds from the start. */
const use = (state: AccountState, fromS: number, toS: number, count: number) => {
  const all = Array.from(
    { length: count },
    (_, index) => [bucketOf(at(fromS + ((toS - fromS) * index) / count)), 1] as const,
  );
  state.usage = addUse(state.usage, all, at(toS), 3_600_000);
};

/** One answer to a request of that second, heard of some time later. */
const tell = (state: AccountState, second: number, remaining: number, resetS: number, heardS = second) => {
  const last = { remaining, atMs: at(second), fullMs: at(second + resetS) };
  learnFromHeaders(state, { resetMs: resetS * 1_000, most: remaining, least: remaining, last }, at(heardS));
};

const limitOf = (state: AccountState) => {
  const [limit] = Object.values(state.limits);
  if (!limit) throw new Error("No limit is known.");
  return limit;
};

test("a quota is what the first of all answers told, in whichever order they come", () => {
  const state = freshState();
  tell(state, 0, 694, 60, 1.8);
  expect(limitOf(state)).toMatchObject({ requests: 695, perMs: 60_000 });
  tell(state, 0, 699, 60, 2);
  expect(limitOf(state).requests).toBe(700);
});

test("what a refusal took off is not put back by what was told before", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  limitOf(state).requests = 697;
  tell(state, 60, 699, 60);
  expect(limitOf(state).requests).toBe(697);
});

test("a quota that is used steadily does not seem larger", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  for (let second = 0; second < 600; second += 1) {
    use(state, second, second + 1, second % 3 === 0 ? 11 : 12);
    tell(state, second + 1, Math.max(8, 699 - second * 12), 1);
  }
  expect(limitOf(state).requests).toBe(700);
});

test("a quota of which much is left, though all that is believed is used, is larger", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  limitOf(state).requests = 600;
  for (let second = 0; second < 300; second += 1) {
    use(state, second, second + 1, 10);
    tell(state, second + 1, Math.max(100, 699 - second * 10), 1);
  }
  expect(limitOf(state).requests).toBeGreaterThan(630);
});

test("until a window has passed, all that it holds is counted", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  expect(limitOf(state).countedUntil).toBeGreaterThanOrEqual(at(60));
  const small = freshState();
  tell(small, 0, 9, 1);
  expect(limitOf(small).countedUntil).toBe(0);
});

test("what is left of a fixed window lasts until its end, however late that is heard of", () => {
  const hear = (lateS: number) => {
    const state = freshState();
    for (const second of [0, 1, 2, 3, 4]) tell(state, second, 699 - second * 11, 60 - second);
    // Half of it is gone after ten seconds.
    tell(state, 10, 350, 50, 10 + lateS);
    return limitOf(state).nextAt;
  };
  expect(hear(0)).toBeGreaterThan(at(29));
  expect(hear(0)).toBeLessThan(at(31));
  expect(hear(3)).toBe(hear(0));
});
