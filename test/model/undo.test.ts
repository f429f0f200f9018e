import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { undoModel } from "./undo-model.ts";
import { type UndoEnvironment, type UndoGuards, undoGuards } from "./undo-state.ts";

const restless: UndoEnvironment = {
  begins: "written",
  edits: true,
  deletes: true,
  reusesIds: true,
  matches: true,
  bins: false,
  cancels: true,
  startsOver: true,
  undoneAgain: false,
};
const withBin: UndoEnvironment = { ...restless, bins: true };
const inDoubt: UndoEnvironment = { ...restless, begins: "doubt" };
const refused: UndoEnvironment = { ...restless, begins: "failed" };
const undoneAgain: UndoEnvironment = { ...restless, undoneAgain: true };
const cleaned: UndoEnvironment = { ...restless, startsOver: false };

const environments: Record<string, { environment: UndoEnvironment; atLeast: number }> = {
  "a copy that people and other imports use, then started over": { environment: restless, atLeast: 1_500 },
  "a destination with a bin": { environment: withBin, atLeast: 800 },
  "a run before that left a batch in doubt": { environment: inDoubt, atLeast: 4_000 },
  "a batch in doubt and a bin": { environment: { ...inDoubt, bins: true }, atLeast: 2_000 },
  "a record that was taken and refused": { environment: refused, atLeast: 800 },
  "undone twice": { environment: undoneAgain, atLeast: 3_000 },
  "undone twice, taken and refused at first": {
    environment: { ...undoneAgain, begins: "failed" },
    atLeast: 1_500,
  },
  "not started over": { environment: { ...cleaned, begins: "doubt" }, atLeast: 1_500 },
};

const leftOut: Record<keyof UndoGuards, { environment: UndoEnvironment; leadsTo: string }> = {
  earlierFenced: { environment: inDoubt, leadsTo: "marked written, but does not exist" },
  earlierSettled: {
    environment: { ...cleaned, begins: "doubt" },
    leadsTo: "left behind, but marked cleaned",
  },
  failedLookedUp: {
    environment: { ...cleaned, begins: "failed" },
    leadsTo: "left behind, but marked cleaned",
  },
  editInDoubtSeen: { environment: inDoubt, leadsTo: "a person's edit is removed" },
  foundByKey: { environment: restless, leadsTo: "kept, but only the import changed it" },
  removeChecksKey: { environment: restless, leadsTo: "a person's own record is removed" },
  editedKept: { environment: restless, leadsTo: "a person's edit is removed" },
  hashFollowsOwnWrites: { environment: restless, leadsTo: "kept, but only the import changed it" },
  matchExcluded: { environment: restless, leadsTo: "another import's match is removed" },
  matchReadAgain: {
    environment: { ...restless, deletes: false },
    leadsTo: "another import is matched with what is gone",
  },
  timeoutIsUnknown: { environment: restless, leadsTo: "marked undone, but exists" },
  lateRemoveAwaited: { environment: restless, leadsTo: "marked kept, but is gone" },
  settledBeforeClosed: { environment: restless, leadsTo: "marked written, but does not exist" },
  keyGeneration: { environment: withBin, leadsTo: "marked written, but does not exist" },
  undoneIsCopied: { environment: restless, leadsTo: "not copied when started over" },
  keptIsMatched: { environment: restless, leadsTo: "a record is duplicated" },
  keptIsKnown: { environment: refused, leadsTo: "linked, but with no id" },
  matchStays: { environment: restless, leadsTo: "a record is duplicated" },
  matchIsOurs: { environment: undoneAgain, leadsTo: "a record is duplicated" },
};

describe("undo removes what the import wrote, and nothing else", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(undoModel(undoGuards, environment), atLeast);
  });
});

describe("the check catches an undo with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(undoModel({ ...undoGuards, [guard]: false }, environment), leadsTo);
  });
});
