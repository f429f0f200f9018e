import { describe, test } from "vitest";
import { copyModel } from "./copy-model.ts";
import { type CopyEnvironment, type CopyGuards, copyGuards } from "./copy-state.ts";
import { expectCaught, expectSound } from "./expect-model.ts";

const calm: CopyEnvironment = {
  rows: "AB",
  pageSize: 2,
  paging: "keyset",
  settles: "lookup",
  attempts: 2,
  rejects: false,
  refusesLate: false,
  findRefused: false,
  findLags: false,
  changes: 0,
  deletes: false,
  moves: false,
  adds: "",
};
const small: CopyEnvironment = { ...calm, rejects: true, findLags: true };
const byOffset: CopyEnvironment = {
  ...calm,
  rows: "ABC",
  paging: "offset",
  pageSize: 1,
  attempts: 1,
  changes: 2,
  deletes: true,
  moves: true,
};
const upserts: CopyEnvironment = { ...calm, settles: "upsert", changes: 1, deletes: true, findLags: true };
const takesKeys: CopyEnvironment = { ...upserts, settles: "key" };
const refuses: CopyEnvironment = { ...calm, rejects: true, refusesLate: true, findRefused: true };
const oneRow = { rows: "A", pageSize: 1 };

/** All of them include any number of crashes, timeouts, partial batches and late effects. */
const environments: Record<string, { environment: CopyEnvironment; atLeast: number }> = {
  "two attempts, two pages, a destination with `find` only": {
    environment: { ...small, rows: "ABCD" },
    atLeast: 40_000,
  },
  "a source that changes, by keyset": {
    environment: { ...small, rows: "ABC", attempts: 1, changes: 2, deletes: true, adds: "0" },
    atLeast: 40_000,
  },
  "a source that changes, by keyset, two attempts": {
    environment: { ...calm, changes: 2, deletes: true, adds: "0" },
    atLeast: 50_000,
  },
  "a source that changes and shifts, by offset": { environment: { ...byOffset, adds: "0" }, atLeast: 40_000 },
  "a source that shifts, by offset, two attempts": {
    environment: { ...byOffset, rows: "AB", attempts: 2 },
    atLeast: 30_000,
  },
  "a destination that refuses to complete records, and to look them up": {
    environment: { ...refuses, rows: "ABC", pageSize: 2 },
    atLeast: 5_000,
  },
  "a destination that upserts": { environment: { ...upserts, pageSize: 1, changes: 2 }, atLeast: 20_000 },
  "a destination that takes idempotency keys, and forgets them": { environment: takesKeys, atLeast: 20_000 },
};

const twice = "a record is duplicated";
const unknownCopy = "a copy is missing in the ledger";
const lost = "a row of the source is lost";

const leftOut: Record<keyof CopyGuards, readonly { environment: CopyEnvironment; leadsTo: string }[]> = {
  fencedClaim: [{ environment: small, leadsTo: twice }],
  fencedSettle: [
    { environment: { ...small, pageSize: 1 }, leadsTo: twice },
    { environment: small, leadsTo: "the counters are wrong" },
  ],
  deadlineChecked: [
    { environment: small, leadsTo: twice },
    { environment: { ...upserts, ...oneRow }, leadsTo: unknownCopy },
  ],
  countedFromBeforeClaim: [{ environment: small, leadsTo: twice }],
  // An upsert or an idempotency key alone is not enough: the row may be gone before the resend.
  lateWriteAwaited: [
    { environment: small, leadsTo: twice },
    { environment: { ...upserts, ...oneRow }, leadsTo: unknownCopy },
    { environment: { ...takesKeys, ...oneRow }, leadsTo: unknownCopy },
  ],
  findLagAwaited: [
    { environment: small, leadsTo: twice },
    { environment: { ...upserts, ...oneRow }, leadsTo: unknownCopy },
  ],
  settledByFind: [
    { environment: { ...upserts, ...oneRow }, leadsTo: unknownCopy },
    { environment: { ...takesKeys, ...oneRow }, leadsTo: twice },
  ],
  refusedFindProvesNothing: [{ environment: { ...calm, findRefused: true }, leadsTo: twice }],
  timeoutIsUnknown: [{ environment: small, leadsTo: "marked failed, but exists" }],
  lateRefusalIsUnknown: [{ environment: refuses, leadsTo: "marked failed, but exists" }],
  oneStatement: [{ environment: small, leadsTo: twice }],
  settledFirst: [{ environment: small, leadsTo: twice }],
  knownDropped: [{ environment: small, leadsTo: twice }],
  unknownHoldsCursor: [{ environment: small, leadsTo: lost }],
  anchored: [{ environment: byOffset, leadsTo: lost }],
  swept: [{ environment: byOffset, leadsTo: lost }],
  countedOnce: [{ environment: byOffset, leadsTo: "the report counts a row twice" }],
};

describe("copies a partition exactly once", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(copyModel(copyGuards, environment), atLeast);
  });
});

describe("the check catches a page algorithm with a disabled guard", () => {
  test.each(Object.entries(leftOut).flatMap(([guard, ways]) => ways.map((way) => ({ guard, ...way }))))(
    "$guard: $leadsTo, where it settles by $environment.settles",
    ({ guard, environment, leadsTo }) => {
      expectCaught(copyModel({ ...copyGuards, [guard]: false }, environment), leadsTo);
    },
  );
});
