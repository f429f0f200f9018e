import { helpdesk, projects } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { isTree, passAfter, passAt } from "./removal-pass.ts";

test("records of some streams can be below others of the same", () => {
  expect([helpdesk.articleCategories, projects.tasks, projects.wikiPages].map(isTree)).toEqual([
    true,
    true,
    true,
  ]);
  expect([helpdesk.comments, projects.versions].map(isTree)).toEqual([false, false]);
});

test("a stream without trees is walked once", () => {
  const first = passAt(null, false);
  expect(first).toMatchObject({ after: null, isLast: true });
  expect(passAfter(first, "7")).toEqual({ at: "7" });
  expect(passAt(passAfter(first, "7"), false)).toMatchObject({ after: "7", isLast: true });
  expect(passAfter(first, null)).toEqual({ ended: true });
});

test("a tree is walked until a pass removes nothing, and then once more to settle what stays", () => {
  const first = passAt(null, true);
  expect(first.isLast).toBe(false);
  expect(passAfter({ ...first, removed: true }, null)).toEqual({ ended: true });
  const second = passAt(passAfter({ ...first, removed: true, left: true }, null), true);
  expect(second).toEqual({ ...first, isFirst: false });
  expect(passAt(passAfter(second, "7"), true)).toEqual({ ...second, after: "7" });
  const last = passAt(passAfter({ ...second, left: true }, null), true);
  expect(last).toEqual({ ...second, isLast: true });
  expect(passAfter(last, null)).toEqual({ ended: true });
});

test("an undo goes on after its last row, also from one release to another, as long as the tool keeps nothing", () => {
  expect(passAfter(passAt(null, true), "7")).toEqual({ at: "7" });
  expect(passAt({ at: "7" }, true)).toMatchObject({ after: "7", isLast: false, removed: true, left: false });
});
