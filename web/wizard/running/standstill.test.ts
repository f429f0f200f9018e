import { expect, test } from "vitest";
import { standsStillSince } from "./standstill.ts";

test("a pause between two pages is no standstill; 45 seconds are, and it says since when", () => {
  const movedAt = Date.parse("2026-01-02T03:04:05Z");
  expect(standsStillSince(movedAt, movedAt + 44_999)).toBeNull();
  expect(standsStillSince(movedAt, movedAt + 45_000)).toEqual(new Date(movedAt));
});
