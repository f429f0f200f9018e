import { describe, test } from "vitest";
import { type CancelEnvironment, type CancelGuards, cancelGuards, cancelModel } from "./cancel-model.ts";
import { expectCaught, expectSound } from "./expect-model.ts";

const calm: CancelEnvironment = { refuses: false, refreshes: false, leaves: false };
const refused: CancelEnvironment = { ...calm, refuses: true };
const restless: CancelEnvironment = { ...calm, refuses: true, refreshes: true };
const left: CancelEnvironment = { ...calm, leaves: true };
const worst: CancelEnvironment = { refuses: true, refreshes: true, leaves: true };

const environments: Record<string, { environment: CancelEnvironment; atLeast: number }> = {
  "credentials that hold": { environment: calm, atLeast: 75 },
  "credentials that may stop working": { environment: refused, atLeast: 150 },
  "tokens that are refreshed during the run": { environment: restless, atLeast: 300 },
  "a tool that may stop answering": { environment: left, atLeast: 100 },
  "all of it": { environment: worst, atLeast: 500 },
};

const leftOut: Record<keyof CancelGuards, { environment: CancelEnvironment; leadsTo: string }> = {
  purgedAfterRun: { environment: calm, leadsTo: "a copy is missing in the ledger" },
  lateWriteAwaited: { environment: calm, leadsTo: "a copy is missing in the ledger" },
  startSeesStop: { environment: calm, leadsTo: "a cancelled import goes on" },
  waitingEnds: { environment: refused, leadsTo: "stuck" },
  leftoverSettled: { environment: refused, leadsTo: "unknown forever" },
  doubtRecorded: { environment: refused, leadsTo: "unknown forever" },
  askedUnlessRefused: { environment: refused, leadsTo: "left in doubt, though the tool answers" },
  storedWhileOpen: { environment: restless, leadsTo: "credentials are kept after the end" },
  refusedIsUnknown: { environment: refused, leadsTo: "a copy is missing in the ledger" },
  unreachableEnds: { environment: left, leadsTo: "stuck" },
  reachableAsked: { environment: calm, leadsTo: "left in doubt, though the tool answers" },
};

describe("a cancelled import ends settled and without credentials", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(cancelModel(cancelGuards, environment), atLeast);
  });
});

describe("the check catches a cancellation with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(cancelModel({ ...cancelGuards, [guard]: false }, environment), leadsTo);
  });
});
