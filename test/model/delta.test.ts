import { describe, test } from "vitest";
import { deltaModel } from "./delta-model.ts";
import { type DeltaEnvironment, type DeltaGuards, deltaGuards } from "./delta-state.ts";
import { expectCaught, expectSound } from "./expect-model.ts";

const calm: DeltaEnvironment = {
  begins: "written",
  edits: false,
  deletes: false,
  converts: false,
  rejects: false,
  versions: 3,
  reverts: false,
  sweepMisses: false,
  stops: false,
};
const restless: DeltaEnvironment = {
  ...calm,
  edits: true,
  deletes: true,
  rejects: true,
  sweepMisses: true,
  stops: true,
  reverts: true,
};
const converts: DeltaEnvironment = { ...restless, converts: true };
const matched: DeltaEnvironment = { ...restless, begins: "matched" };

const environments: Record<string, { environment: DeltaEnvironment; atLeast: number }> = {
  "a source that changes": { environment: calm, atLeast: 1_000 },
  "edits on both sides, rejections, a stop": { environment: restless, atLeast: 8_000 },
  "a destination that converts its input": { environment: converts, atLeast: 8_000 },
  "a record that was matched": { environment: matched, atLeast: 600 },
};

const lost = "a change at the source is lost";
const overwritten = "a person's edit is overwritten";
const falselyEdited = "marked edited, but only the import changed it";

const leftOut: Record<keyof DeltaGuards, { environment: DeltaEnvironment; leadsTo: string }> = {
  sinceStart: { environment: calm, leadsTo: lost },
  unchangedDropped: { environment: restless, leadsTo: "listed, though the source did not change" },
  hashChecked: { environment: restless, leadsTo: overwritten },
  hashAsReturned: { environment: converts, leadsTo: falselyEdited },
  ownWriteKnown: {
    environment: converts,
    leadsTo: "marked as maybe edited, but it is as it should be",
  },
  doubtMarked: { environment: converts, leadsTo: falselyEdited },
  unmadeRemembered: { environment: restless, leadsTo: "an unapplied change is not reported" },
  stoppedKeepsSince: { environment: restless, leadsTo: lost },
  doubtfulListed: { environment: restless, leadsTo: overwritten },
  behindLookedAt: { environment: restless, leadsTo: lost },
  timeoutIsUnknown: { environment: calm, leadsTo: lost },
  lateWriteAwaited: { environment: calm, leadsTo: lost },
  rejectedMarked: { environment: restless, leadsTo: falselyEdited },
  rejectedStaysWritten: { environment: restless, leadsTo: "marked failed, but exists" },
  matchedLeftAlone: { environment: matched, leadsTo: "a matched record is changed" },
  idsSwept: { environment: restless, leadsTo: "a deletion is not reported" },
  deletionConfirmed: { environment: restless, leadsTo: "marked deleted, but exists" },
};

describe("a delta copies changes and keeps people's edits", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(deltaModel(deltaGuards, environment), atLeast);
  });
});

describe("the check catches a delta with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(deltaModel({ ...deltaGuards, [guard]: false }, environment), leadsTo);
  });
});
