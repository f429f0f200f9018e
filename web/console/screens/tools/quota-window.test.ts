import { expect, test } from "vitest";
import { quotaWindow } from "./quota-window.ts";

test.each([
  [1, "second", 1],
  [10, "second", 10],
  [60, "minute", 1],
  [90, "second", 90],
  [300, "minute", 5],
  [3_600, "hour", 1],
  [86_400, "day", 1],
])("%d seconds: %s × %d", (seconds, unit, count) => {
  expect(quotaWindow(seconds)).toEqual({ unit, count });
});
