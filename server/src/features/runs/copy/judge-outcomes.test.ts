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

test("the tool's report on a field replaces the mapping's announcement", () => {
  const reported = change("customFields.Shelf", "cleared", "The value is in the last line of the text.");
  expect(joinChanges([noted, cut], [reported])).toEqual([cut, reported]);
});

test("the mapping's losses stay reported, and so does what the tool does not report", () => {
  const reported = change("subject", "converted", "Without line breaks.");
  expect(joinChanges([noted, cut], [reported])).toEqual([noted, cut, reported]);
  expect(joinChanges([noted], [])).toEqual([noted]);
});
