import { expect, test, vi } from "vitest";
import { createKeptAnswers, entryCost } from "./kept-answers.ts";

const room = (texts: number, characters: number) => texts * (entryCost + 1) + characters;

test("what does not fit is not kept, and what is taken makes room", () => {
  const of = createKeptAnswers({ most: room(2, 10), idleMs: 60_000 });
  const [one, other] = [of("one"), of("other")];
  one.keep("a", "12345");
  other.keep("b", "12345");
  one.keep("c", "1");
  expect(one.take("c")).toBeUndefined();
  expect(other.take("a")).toBeUndefined();
  expect(of("one").take("a")).toBe("12345");
  expect(one.take("a")).toBeUndefined();
  one.keep("c", "123");
  // A newer answer takes the place of the older one.
  one.keep("c", "45678");
  one.keep("d", "1");
  expect([one.take("c"), one.take("d")]).toEqual(["45678", undefined]);
});

test("a run without a step for some time is forgotten, and its room is free", () => {
  vi.useFakeTimers();
  try {
    const of = createKeptAnswers({ most: room(1, 5), idleMs: 1_000 });
    const before = of("one");
    before.keep("a", "12345");
    vi.advanceTimersByTime(900);
    of("one");
    vi.advanceTimersByTime(900);
    expect(before.take("a")).toBe("12345");
    before.keep("a", "12345");
    vi.advanceTimersByTime(2_000);
    before.keep("late", "1");
    expect([before.take("a"), before.take("late")]).toEqual([undefined, undefined]);
    const other = of("other");
    other.keep("b", "12345");
    expect(other.take("b")).toBe("12345");
  } finally {
    vi.useRealTimers();
  }
});

test("half a million threads without a file do not fill the memory: an entry costs more than its text", () => {
  const kept = createKeptAnswers()("one");
  const keys = Array.from({ length: 500_000 }, (_, index) => `["copy","threads","attachments","${index}"]`);
  for (const key of keys) kept.keep(key, "[]");
  const found = keys.filter((key) => kept.take(key) !== undefined);
  expect(found.length).toBeGreaterThan(100_000);
  expect(found.length).toBeLessThan(400_000);
});
