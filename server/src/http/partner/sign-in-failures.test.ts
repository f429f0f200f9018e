import { expect, test } from "vitest";
import { createSignInFailures } from "./sign-in-failures.ts";

const address = "192.0.2.1";

test("too many failures of an address within a minute have to wait for the rest of that minute", () => {
  let now = 1_000;
  const { failed } = createSignInFailures(2, () => now);
  expect(failed(address)).toBe(0);
  now += 20_000;
  expect(failed(address)).toBe(0);
  expect(failed(address)).toBe(40);
  expect(failed("192.0.2.2")).toBe(0);
  now += 39_500;
  expect(failed(address)).toBe(1);
  now += 501;
  expect(failed(address)).toBe(0);
});

test("many addresses do not fill the memory: the one that failed longest ago is forgotten", () => {
  const { failed } = createSignInFailures(1, () => 1_000);
  failed(address);
  expect(failed(address)).toBe(60);
  for (let other = 0; other < 10_000; other += 1) failed(`2001:db8::${other.toString(16)}`);
  expect(failed(address)).toBe(0);
});
