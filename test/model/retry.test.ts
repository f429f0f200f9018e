import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { retryModel } from "./retry-model.ts";
import { type RetryEnvironment, type RetryGuards, retryGuards } from "./retry-state.ts";

const three: RetryEnvironment = {
  failed: "ABC",
  skipped: "",
  parentOf: {},
  gone: "",
  deletes: true,
  pageSize: 2,
  inDoubt: "",
  rejects: true,
  refusesTaken: false,
  taken: "",
};
const refusesTaken: RetryEnvironment = { ...three, failed: "AB", taken: "B", refusesTaken: true };
const parentFirst: RetryEnvironment = {
  ...three,
  failed: "AC",
  skipped: "B",
  parentOf: { B: "A" },
  pageSize: 1,
};
const childFirst: RetryEnvironment = { ...three, failed: "BC", skipped: "A", parentOf: { A: "C" } };
const grandchildFirst: RetryEnvironment = {
  ...three,
  failed: "C",
  skipped: "AB",
  parentOf: { A: "B", B: "C" },
};
const rowGone: RetryEnvironment = { ...three, failed: "AB", skipped: "C", parentOf: { C: "A" }, gone: "B" };
const leftInDoubt: RetryEnvironment = { ...three, failed: "AB", inDoubt: "A" };

const environments: Record<string, { environment: RetryEnvironment; atLeast: number }> = {
  "three rows, two pages": { environment: three, atLeast: 2_000 },
  "a child after its parent": { environment: parentFirst, atLeast: 2_000 },
  "a child before its parent": { environment: childFirst, atLeast: 1_500 },
  "a child of a child, before both": { environment: grandchildFirst, atLeast: 700 },
  "a row that is gone from the source": { environment: rowGone, atLeast: 250 },
  "a parent that is gone from the source": { environment: { ...rowGone, gone: "A" }, atLeast: 100 },
  "a row that an earlier run left in doubt": { environment: leftInDoubt, atLeast: 600 },
  "a destination that refuses what it took": { environment: refusesTaken, atLeast: 300 },
};

const twice = "a record is duplicated";

const leftOut: Record<keyof RetryGuards, { environment: RetryEnvironment; leadsTo: string }> = {
  keysetPaged: { environment: three, leadsTo: "a failed row is passed over" },
  childrenIncluded: { environment: parentFirst, leadsTo: "a child is left out, though its parent exists" },
  parentAwaited: { environment: parentFirst, leadsTo: "a child without its parent" },
  walkedAgain: { environment: childFirst, leadsTo: "a child is left out, though its parent exists" },
  goneIsSkipped: { environment: rowGone, leadsTo: "retried forever, though gone" },
  errorIsNotGone: { environment: three, leadsTo: "marked gone, but exists at the source" },
  earlierSettled: { environment: leftInDoubt, leadsTo: twice },
  settledFirst: { environment: three, leadsTo: twice },
  lateWriteAwaited: { environment: three, leadsTo: twice },
  failedLookedUp: { environment: refusesTaken, leadsTo: twice },
  timeoutIsUnknown: { environment: three, leadsTo: "a copy is missing in the ledger" },
  unknownHoldsCursor: { environment: three, leadsTo: "a failed row is passed over" },
};

describe("a retry tries each failed row once, and creates no duplicates", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(retryModel(retryGuards, environment), atLeast);
  });
});

describe("the check catches a retry with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(retryModel({ ...retryGuards, [guard]: false }, environment), leadsTo);
  });
});
