import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { type VerifyEnvironment, type VerifyGuards, verifyGuards, verifyModel } from "./verify-model.ts";

const calm: VerifyEnvironment = { changes: 1, shownOn: [0], deleted: false, copy: "kept", crashes: false };
const crashing: VerifyEnvironment = { ...calm, crashes: true };
const repeated: VerifyEnvironment = { ...crashing, shownOn: [0, 1] };
const hidden: VerifyEnvironment = { ...crashing, shownOn: [] };
const deleted: VerifyEnvironment = { ...crashing, changes: 0, deleted: true };
const damaged: VerifyEnvironment = { ...crashing, copy: "damaged" };

const leftOut: Record<keyof VerifyGuards, { environment: VerifyEnvironment; leadsTo: string }> = {
  countedWithMark: { environment: crashing, leadsTo: "counted twice" },
  fenced: { environment: crashing, leadsTo: "counted twice" },
  onceByPages: { environment: repeated, leadsTo: "counted twice" },
  onceById: { environment: calm, leadsTo: "counted twice" },
  restAsked: { environment: hidden, leadsTo: "left out" },
  changedLeft: { environment: calm, leadsTo: "a change in the source counts as a loss" },
  unseenLeft: { environment: deleted, leadsTo: "a deleted record counts as compared" },
  markOfThisRun: { environment: calm, leadsTo: "left out" },
};

describe("a check by pages counts every copy once, and finds a loss", () => {
  test.each([
    ["a source that changes", calm, 20],
    ["with crashes", crashing, 80],
    ["a record that pages repeat", repeated, 80],
    ["a record that no page shows", hidden, 80],
    ["a deleted record that a page still shows", deleted, 20],
    ["a copy that lost a part", damaged, 80],
    ["a lost part, and no page that shows it", { ...hidden, copy: "damaged" }, 80],
  ] as const)("%s", (_, environment, atLeast) => {
    expectSound(verifyModel(verifyGuards, environment), atLeast);
  });
});

describe("the check catches a check by pages with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(verifyModel({ ...verifyGuards, [guard]: false }, environment), leadsTo);
  });
});
