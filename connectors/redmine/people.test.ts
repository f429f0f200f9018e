import { expect, test } from "vitest";
import { nameOf, splitName } from "./people.ts";
import { isQuiet, loginHasKey, loginOf } from "./quiet.ts";

test("joins a split name to the original", () => {
  for (const name of ["Ana Müller", "Prince", "Juan Carlos de Borbón", "山田 由紀"])
    expect(nameOf(splitName(name))).toBe(name);
});

test("each half has at most 30 characters", () => {
  const { firstname, lastname } = splitName(`${"a".repeat(50)} ${"b".repeat(50)}`);
  expect([firstname.length, lastname.length]).toEqual([30, 30]);
});

test("a login shows its key, and that an import created it", () => {
  const login = loginOf("k-1", "Ana.Müller+x@example.com", "Ana");
  expect(login).toMatch(/^ana\.mullerx\.p[0-9a-f]{12}$/);
  expect(loginHasKey(login, "k-1")).toBe(true);
  expect(loginHasKey(login, "k-2")).toBe(false);
  expect(isQuiet({ login })).toBe(true);
  expect(isQuiet({ login: "ana" })).toBe(false);
  expect(loginOf("k-1", null, "由紀").length).toBeLessThanOrEqual(60);
});
