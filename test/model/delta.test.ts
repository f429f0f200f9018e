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
};
const converts: DeltaEnvironment = { ...restless, converts: true };
const matched: DeltaEnvironment = { ...restless, begins: "matched" };

const environments: Record<string, { environment: DeltaEnvironment; atLeast: number }> = {
  "a source that changes": { environment: calm, atLeast: 1_500 },
  "people at both ends, rejections, a stop": { environment: restless, atLeast: 8_000 },
  "a destination that converts what it is sent": { environment: converts, atLeast: 8_000 },
  "a record that was matched": { environment: matched, atLeast: 600 },
};

const lost = "a change at the source is lost";
const overwritten = "a person's edit is overwritten";
const falselyEdited = "called edited, though only we touched it";

const leftOut: Record<keyof DeltaGuards, { environment: DeltaEnvironment; leadsTo: string }> = {
  sinceStart: { environment: calm, leadsTo: lost },
  unchangedDropped: { environment: restless, leadsTo: "listed, though the source did not change" },
  hashChecked: { environment: restless, leadsTo: overwritten },
  hashAsReturned: { environment: converts, leadsTo: falselyEdited },
  ownWriteKnown: { environment: calm, leadsTo: falselyEdited },
  versionInBatch: { environment: calm, leadsTo: lost },
  unmadeRemembered: { environment: restless, leadsTo: "a change that was not made is not told" },
  stoppedKeepsSince: { environment: restless, leadsTo: lost },
  doubtfulListed: { environment: restless, leadsTo: overwritten },
  listedKeepsVersion: { environment: restless, leadsTo: "listed, though the source did not change" },
  timeoutIsUnknown: { environment: calm, leadsTo: lost },
  lateWriteAwaited: { environment: calm, leadsTo: lost },
  rejectedStaysWritten: { environment: restless, leadsTo: "called failed, and is there" },
  matchedLeftAlone: { environment: matched, leadsTo: "a matched record is changed" },
  idsSwept: { environment: restless, leadsTo: "a deletion is not told" },
  deletionConfirmed: { environment: restless, leadsTo: "called deleted, and is there" },
};

describe("a delta brings what changed, and leaves alone what people changed", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(deltaModel(deltaGuards, environment), atLeast);
  });
});

describe("a delta with a guard left out is caught", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(deltaModel({ ...deltaGuards, [guard]: false }, environment), leadsTo);
  });
});
