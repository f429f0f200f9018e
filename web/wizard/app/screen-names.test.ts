import { expect, test } from "vitest";
import { screenOfStep, stepAt, stepNames } from "./screen-names.ts";

test("a new sign-in during a run belongs to the run's step", () => {
  expect(stepAt("connect", "collecting_credentials")).toBe("connect");
  expect(stepAt("destination", "waiting_for_sample")).toBe("connect");
  expect(stepAt("connect", "sample_in_progress")).toBe("sample");
  expect(stepAt("destination", "migration_in_progress")).toBe("move");
  expect(stepAt("connect", "migration_completed")).toBe("move");
  expect(stepAt("destination", "undo_in_progress")).toBeNull();
});

test("every other screen has its own step", () => {
  expect(stepAt("people", "sample_completed")).toBe("match");
  expect(stepAt("review", "migration_completed")).toBe("sample");
  expect(stepAt("start", "migration_in_progress")).toBeNull();
});

test("a step's link leads to a screen of that step", () => {
  for (const step of stepNames) expect(stepAt(screenOfStep[step], "sample_completed")).toBe(step);
});
