import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { recoveryModel } from "./recovery-model.ts";
import { type RecoveryEnvironment, type RecoveryGuards, recoveryGuards } from "./recovery-state.ts";

const oneLoss: RecoveryEnvironment = { records: "AB", losses: 1, attempts: 1 };
const withZombie: RecoveryEnvironment = { ...oneLoss, attempts: 2 };

/** All of them include any number of crashes, lost answers and late effects. */
const environments: Record<string, { environment: RecoveryEnvironment; atLeast: number }> = {
  "commits are lost once": { environment: withZombie, atLeast: 100_000 },
  "commits are lost twice": { environment: { ...oneLoss, losses: 2 }, atLeast: 10_000 },
  "three pages": { environment: { ...oneLoss, records: "ABC" }, atLeast: 5_000 },
};

const twice = "a record is duplicated";

const leftOut: Record<keyof RecoveryGuards, { environment: RecoveryEnvironment; leadsTo: string }> = {
  freshTokens: { environment: withZombie, leadsTo: twice },
  identityChecked: { environment: oneLoss, leadsTo: "a copy is missing in the ledger" },
  lookedUpFirst: { environment: oneLoss, leadsTo: twice },
  flagKept: { environment: oneLoss, leadsTo: twice },
  lostClaimsAwaited: { environment: oneLoss, leadsTo: twice },
};

describe("after PostgreSQL lost commits, a partition is still copied exactly once", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(recoveryModel(recoveryGuards, environment), atLeast);
  });
});

describe("the check catches a recovery with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(recoveryModel({ ...recoveryGuards, [guard]: false }, environment), leadsTo);
  });
});
