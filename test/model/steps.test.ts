import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { type StepsGuards, stepsGuards, stepsModel } from "./steps-model.ts";

const leftOut: Record<keyof StepsGuards, string> = {
  runLocked: "stuck",
  nextStartedAtOnce: "stuck",
  waitingStopped: "stuck",
  failureStopsAll: "stuck",
};

test("a run advances from step to step, and ends after all of them", () => {
  expectSound(stepsModel(stepsGuards), 20);
});

describe("the check catches steps with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, leadsTo) => {
    expectCaught(stepsModel({ ...stepsGuards, [guard]: false }), leadsTo);
  });
});
