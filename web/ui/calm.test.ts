import { expect, test } from "vitest";
import { type Said, shouldSay } from "./calm.ts";

const percent = (share: number) => ({ share, text: `${Math.floor(share * 100)}%`, state: "running" });
const soFar = (number: number) => ({ share: null, text: `${number} so far`, state: "running" });

test("announces at each tenth, after half a minute and at the end, not with every number", () => {
  let last: Said | null = null;
  let said = 0;
  // A move of ten minutes that makes progress every second.
  for (let second = 0; second <= 600; second += 1) {
    const now = percent(second / 600);
    if (!shouldSay(last, now, second * 1_000)) continue;
    last = { ...now, atMs: second * 1_000 };
    said += 1;
  }
  expect(said).toBeGreaterThan(10);
  expect(said).toBeLessThan(32);
  expect(last?.share).toBe(1);
});

test("does not announce again while nothing changes", () => {
  expect(shouldSay({ ...percent(0.4), atMs: 0 }, percent(0.4), 3_600_000)).toBe(false);
  expect(shouldSay({ ...soFar(70), atMs: 0 }, soFar(70), 3_600_000)).toBe(false);
});

test("announces an unknown total every half minute, and immediately once the total is known", () => {
  expect(shouldSay({ ...soFar(70), atMs: 0 }, soFar(90), 29_999)).toBe(false);
  expect(shouldSay({ ...soFar(70), atMs: 0 }, soFar(90), 30_000)).toBe(true);
  expect(shouldSay({ ...soFar(170), atMs: 0 }, percent(0.99), 1)).toBe(true);
});

test("announces a pause or a resume immediately", () => {
  for (const running of [percent(0.4), soFar(70)]) {
    const paused = { ...running, text: "Paused", state: "paused" };
    expect(shouldSay({ ...running, atMs: 0 }, paused, 1)).toBe(true);
    expect(shouldSay({ ...paused, atMs: 0 }, running, 1)).toBe(true);
  }
});
