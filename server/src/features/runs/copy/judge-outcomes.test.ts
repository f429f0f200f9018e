import type { FieldChange } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { joinChanges } from "./judge-outcomes.ts";

const change = (field: string, kind: FieldChange["change"], why: string): FieldChange => ({
  field,
  change: kind,
  why,
});
const noted = change("customFields.Shelf", "converted", "It goes along under its name.");
const cut = change("subject", "truncated", "One line.");

test("where the tool tells what became of a field, the mapping's guess is not told too", () => {
  const told = change("customFields.Shelf", "cleared", "The value is in the last line of the text.");
  expect(joinChanges([noted, cut], [told])).toEqual([cut, told]);
});

test("what the mapping has taken away stays told, and so does what the tool says nothing of", () => {
  const told = change("subject", "converted", "Without line breaks.");
  expect(joinChanges([noted, cut], [told])).toEqual([noted, cut, told]);
  expect(joinChanges([noted], [])).toEqual([noted]);
});
