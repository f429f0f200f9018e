import { expect, test } from "vitest";
import { beginningOf } from "./days.ts";

test("a day begins where the browser is, and ends where the next one begins", () => {
  expect(beginningOf("2026-11-15")).toBe(new Date(2026, 10, 15).toISOString());
  expect(beginningOf("2026-02-28", 1)).toBe(new Date(2026, 2, 1).toISOString());
});

test("what is no day is left to the API", () => {
  expect(beginningOf("yesterday")).toBe("yesterday");
  expect(beginningOf("2026-13-01", 1)).toBe("2026-13-01");
});
