import { describe, test } from "vitest";
import {
  type ByParentEnvironment,
  type ByParentGuards,
  byParentGuards,
  byParentModel,
} from "./by-parent-model.ts";
import { expectCaught, expectSound } from "./expect-model.ts";

const calm: ByParentEnvironment = {
  begins: "copied",
  changes: 3,
  passesOver: false,
  crashes: false,
  shares: false,
  rewrites: false,
  stops: false,
  leftOut: false,
};
const rewritten: ByParentEnvironment = { ...calm, rewrites: true };
const stopped: ByParentEnvironment = { ...calm, crashes: true, rewrites: true, stops: true };
const restless: ByParentEnvironment = { ...calm, crashes: true };
const sharing: ByParentEnvironment = { ...calm, crashes: true, shares: true };
const newcomer: ByParentEnvironment = { ...restless, begins: "absent", passesOver: true };

const lost = "a change of the child is lost";
const unreported = "a deletion is not reported";

const leftOut: Record<keyof ByParentGuards, { environment: ByParentEnvironment; leadsTo: string }> = {
  touchedAsked: { environment: calm, leadsTo: lost },
  listedTouched: { environment: rewritten, leadsTo: lost },
  sweptBefore: { environment: { ...calm, leftOut: true }, leadsTo: lost },
  lateAsked: { environment: newcomer, leadsTo: lost },
  parentSeen: { environment: calm, leadsTo: unreported },
  parentUntouched: { environment: calm, leadsTo: unreported },
  lastMarkOnly: { environment: calm, leadsTo: unreported },
  confirmedById: { environment: restless, leadsTo: "counted as deleted, but exists" },
  keptForOneRun: { environment: sharing, leadsTo: lost },
  keptAfterParent: { environment: sharing, leadsTo: lost },
};

describe("a delta that reads children by touched parents finds every change", () => {
  test.each([
    ["a source that changes", calm, 300],
    ["with crashes", restless, 300],
    ["a parent that comes late", newcomer, 300],
    ["with answers that are kept for another stream", sharing, 300],
    ["with both", { ...newcomer, shares: true }, 300],
    ["with links and retries that write the parent", rewritten, 300],
    ["with a delta that is stopped", stopped, 300],
    ["after a run without the children", { ...stopped, leftOut: true }, 300],
    ["with all of it", { ...newcomer, shares: true, rewrites: true, stops: true }, 300],
  ] as const)("%s", (_, environment, atLeast) => {
    expectSound(byParentModel(byParentGuards, environment), atLeast);
  });
});

describe("the check catches a delta by parents with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(byParentModel({ ...byParentGuards, [guard]: false }, environment), leadsTo);
  });
});
