import type { WizardKind } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { isSilent, isUndoable, keepsAuthors } from "./promises.ts";

const kind = (name: string, lacks: Partial<WizardKind> = {}): WizardKind => ({
  name,
  label: name,
  silent: true,
  backdates: true,
  keepsAuthor: true,
  removable: true,
  dropped: {},
  ...lacks,
});
const groups = kind("groups", { keepsAuthor: null });

test("a promise is made only if every kind keeps it", () => {
  const all = [kind("tickets"), groups];
  expect([isSilent(all), isUndoable(all), keepsAuthors(all, null)]).toEqual([true, true, true]);
  expect(isSilent([...all, kind("contacts", { silent: false })])).toBe(false);
  expect(isUndoable([...all, kind("contacts", { removable: false })])).toBe(false);
  expect(keepsAuthors([...all, kind("comments", { keepsAuthor: false })], null)).toBe(false);
});

test("only selected kinds count for keeping authors", () => {
  const all = [kind("tickets"), kind("comments", { keepsAuthor: false })];
  expect(keepsAuthors(all, ["tickets"])).toBe(true);
  expect(keepsAuthors(all, ["tickets", "comments"])).toBe(false);
  expect(keepsAuthors([groups], null)).toBe(false);
});

test("promises nothing for a tool with unknown capabilities or without any kinds", () => {
  for (const kinds of [null, []])
    expect([isSilent(kinds), isUndoable(kinds), keepsAuthors(kinds, null)]).toEqual([false, false, false]);
});
