import { expect, test } from "vitest";
import { problemWords } from "./problem-words.ts";

test.each([
  ["invalid", "read", "invalid"],
  ["invalid", "form", "invalidForm"],
  ["invalid", "sign-in", "invalidForm"],
  ["forbidden", "form", "forbidden"],
  ["forbidden", "sign-in", "signInRefused"],
  ["unexpected", "sign-in", "unexpected"],
] as const)("%s, %s: %s", (kind, place, words) => {
  expect(problemWords(kind, place)).toBe(words);
});
