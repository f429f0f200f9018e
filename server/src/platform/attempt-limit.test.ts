import { expect, test } from "vitest";
import { createAttemptLimit } from "./attempt-limit.ts";

const address = "192.0.2.1";

test("too many attempts of a key within a minute have to wait for the rest of that minute", () => {
  let now = 1_000;
  const { count, waitSeconds } = createAttemptLimit(2, () => now);
  expect(count(address)).toBe(0);
  now += 20_000;
  expect(count(address)).toBe(0);
  expect(waitSeconds(address)).toBe(0);
  expect(count(address)).toBe(40);
  expect(waitSeconds(address)).toBe(40);
  expect(count("192.0.2.2")).toBe(0);
  now += 39_500;
  expect(count(address)).toBe(1);
  now += 501;
  expect(waitSeconds(address)).toBe(0);
  expect(count(address)).toBe(0);
});

test("many keys do not fill the memory: the one that was counted longest ago is forgotten", () => {
  const { count } = createAttemptLimit(1, () => 1_000);
  count(address);
  expect(count(address)).toBe(60);
  for (let other = 0; other < 10_000; other += 1) count(`2001:db8::${other.toString(16)}`);
  expect(count(address)).toBe(0);
});
