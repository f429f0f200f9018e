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

/** One answer to a request of that second, reported `heardS` seconds after the start. */
const tell = (
  state: AccountState,
  second: number,
  remaining: number,
  resetS: number,
  heardS = second,
  { name = "left", ...of }: { name?: string; perMs?: number } = {},
) => {
  const last = { remaining, atMs: at(second), fullMs: at(second + resetS) };
  const news = { ...of, resetMs: resetS * 1_000, most: remaining, least: remaining, last };
  learnFromHeaders(state, name, news, at(heardS));
};

const limitOf = (state: AccountState) => {
  const [limit] = Object.values(state.limits);
  if (!limit) throw new Error("The state has no limit.");
  return limit;
};

test("the quota is what the earliest answer reported, in whichever order answers arrive", () => {
  const state = freshState();
  tell(state, 0, 694, 60, 1.8);
  expect(limitOf(state)).toMatchObject({ requests: 695, perMs: 60_000 });
  tell(state, 0, 699, 60, 2);
  expect(limitOf(state).requests).toBe(700);
});

test("an older header value does not restore what a refusal cut", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  limitOf(state).requests = 697;
  tell(state, 60, 699, 60);
  expect(limitOf(state).requests).toBe(697);
});

test("steady use of a quota does not make it seem larger", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  for (let second = 0; second < 600; second += 1) {
    use(state, second, second + 1, second % 3 === 0 ? 11 : 12);
    tell(state, second + 1, Math.max(8, 699 - second * 12), 1);
  }
  expect(limitOf(state).requests).toBe(700);
});

test("a quota with much left, though the believed limit is used up, is larger", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  limitOf(state).requests = 600;
  for (let second = 0; second < 300; second += 1) {
    use(state, second, second + 1, 10);
    tell(state, second + 1, Math.max(100, 699 - second * 10), 1);
  }
  expect(limitOf(state).requests).toBeGreaterThan(630);
});

test("until a window has passed, all requests in it are counted", () => {
  const state = freshState();
  tell(state, 0, 699, 60);
  expect(limitOf(state).countedUntil).toBeGreaterThanOrEqual(at(60));
  const small = freshState();
  tell(small, 0, 9, 1);
  expect(limitOf(small).countedUntil).toBe(0);
});

test("the rest of a fixed window lasts until its end, however late the report arrives", () => {
  const hear = (lateS: number) => {
    const state = freshState();
    for (const second of [0, 1, 2, 3, 4]) tell(state, second, 699 - second * 11, 60 - second);
    // Half of the quota is gone after ten seconds.
    tell(state, 10, 350, 50, 10 + lateS);
    return limitOf(state).nextAt;
  };
  expect(hear(0)).toBeGreaterThan(at(29));
  expect(hear(0)).toBeLessThan(at(31));
  expect(hear(3)).toBe(hear(0));
});

test("each quota that headers tell of is a limit of its own", () => {
  const state = freshState();
  for (let second = 0; second < 30; second += 1) {
    use(state, second, second + 1, 5);
    tell(state, second, 99 - (second % 10) * 5, 10 - (second % 10), second, { name: "burst" });
    tell(state, second, 9_999 - second * 5, 86_400 - second, second, { name: "day" });
  }
  const known = Object.values(state.limits).map(({ requests, perMs }) => [perMs, requests]);
  expect(known.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [10_000, 100],
    [86_400_000, 10_000],
  ]);
});

test("a window that the manifest declares holds from the first answer, though its reset never comes nearer", () => {
  const state = freshState();
  for (const second of [0, 1, 2]) {
    tell(state, second, 99 - second, 10, second, { perMs: 10_000 });
    expect(Object.keys(state.limits)).toEqual(["10000"]);
  }
  expect(limitOf(state)).toMatchObject({ requests: 100, perMs: 10_000 });
});
