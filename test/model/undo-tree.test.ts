import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { type UndoTreeCase, type UndoTreeGuards, undoTreeGuards, undoTreeModel } from "./undo-tree-model.ts";

const usual: UndoTreeCase = { parent: "written", child: "alone" };
const part: UndoTreeCase = { parent: "written", child: "with its parent" };

const leftOut: Record<keyof UndoTreeGuards, { given: UndoTreeCase; leadsTo: string }> = {
  childrenFirst: { given: usual, leadsTo: "a person's edit is removed with its parent" },
  parentOfKeptKept: { given: usual, leadsTo: "a person's edit is removed with its parent" },
  authorOfKeptKept: { given: usual, leadsTo: "a kept record loses its author" },
  othersBelowKept: { given: usual, leadsTo: "a person's record is removed with its parent" },
  matchedLeftAlone: { given: { ...usual, parent: "matched" }, leadsTo: "a person's own record is removed" },
  partsLookedAtFirst: { given: part, leadsTo: "a person's edit is removed with its parent" },
  partsSettledAfter: { given: part, leadsTo: "marked kept, but is gone" },
};

describe("undo removes no person's data with a parent", () => {
  const cases = (["written", "matched"] as const).flatMap((parent) =>
    (["alone", "with its parent"] as const).map((child) => ({ parent, child })),
  );
  test.each(cases)("a $parent parent, a child that the tool removes $child", (given) => {
    expectSound(undoTreeModel(undoTreeGuards, given), 25);
  });
});

describe("the check catches an undo of a tree with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { given, leadsTo }) => {
    expectCaught(undoTreeModel({ ...undoTreeGuards, [guard]: false }, given), leadsTo);
  });
});
