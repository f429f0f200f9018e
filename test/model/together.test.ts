import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import {
  type TogetherEnvironment,
  type TogetherGuards,
  togetherGuards,
  togetherModel,
} from "./together-model.ts";

const calm: TogetherEnvironment = { changes: 2, lags: false, stops: false };
const restless: TogetherEnvironment = { changes: 2, lags: true, stops: true };

const twice = "the part is there twice";

const leftOut: Record<keyof TogetherGuards, { environment: TogetherEnvironment; leadsTo: string }> = {
  partLookedUp: { environment: calm, leadsTo: twice },
  generationOfRecord: { environment: restless, leadsTo: twice },
  lagAwaited: { environment: restless, leadsTo: twice },
  foundCompared: { environment: calm, leadsTo: "the part is out of date" },
  recordLookedUp: { environment: calm, leadsTo: "the record is there twice" },
};

describe("a part that comes with its record is there once, and up to date", () => {
  test.each([
    ["a source that changes", calm, 30],
    ["a search that lags, a run that is stopped", restless, 60],
  ] as const)("%s", (_, environment, atLeast) => {
    expectSound(togetherModel(togetherGuards, environment), atLeast);
  });
});

describe("the check catches a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(togetherModel({ ...togetherGuards, [guard]: false }, environment), leadsTo);
  });
});
