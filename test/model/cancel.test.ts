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
  "credentials that may stop to work": { environment: refused, atLeast: 150 },
  "tokens that are refreshed meanwhile": { environment: restless, atLeast: 300 },
  "a tool that may stop to answer": { environment: left, atLeast: 100 },
  "all of it": { environment: worst, atLeast: 500 },
};

const leftOut: Record<keyof CancelGuards, { environment: CancelEnvironment; leadsTo: string }> = {
  purgedAfterRun: { environment: calm, leadsTo: "a copy that the ledger does not know" },
  lateWriteAwaited: { environment: calm, leadsTo: "a copy that the ledger does not know" },
  startSeesStop: { environment: calm, leadsTo: "a cancelled import goes on" },
  waitingEnds: { environment: refused, leadsTo: "stuck" },
  leftoverSettled: { environment: refused, leadsTo: "unknown for ever" },
  doubtRecorded: { environment: refused, leadsTo: "unknown for ever" },
  askedUnlessRefused: { environment: refused, leadsTo: "left in doubt, though we could ask" },
  storedWhileOpen: { environment: restless, leadsTo: "credentials are kept after the end" },
  refusedIsUnknown: { environment: refused, leadsTo: "a copy that the ledger does not know" },
  unreachableEnds: { environment: left, leadsTo: "stuck" },
  reachableAsked: { environment: calm, leadsTo: "left in doubt, though we could ask" },
};

describe("a cancelled import ends settled, and without credentials", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(cancelModel(cancelGuards, environment), atLeast);
  });
});

describe("a cancellation with a guard left out is caught", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(cancelModel({ ...cancelGuards, [guard]: false }, environment), leadsTo);
  });
});
