import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { type StepsGuards, stepsGuards, stepsModel } from "./steps-model.ts";

const leftOut: Record<keyof StepsGuards, string> = {
  runLocked: "stuck",
  nextStartedAtOnce: "stuck",
  waitingStopped: "stuck",
  failureStopsAll: "stuck",
};

test("a run goes from step to step, and ends when all of it has", () => {
  expectSound(stepsModel(stepsGuards), 20);
});

describe("steps with a guard left out are caught", () => {
  test.each(Object.entries(leftOut))("%s", (guard, leadsTo) => {
    expectCaught(stepsModel({ ...stepsGuards, [guard]: false }), leadsTo);
  });
});
