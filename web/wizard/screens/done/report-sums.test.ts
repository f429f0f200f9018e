import type { WizardReport, WizardStreamReport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { accountedFor, isVerified, totalsOf, verifiedOf } from "./report-sums.ts";

const verified = {
  oneOf: 1,
  compared: 5,
  same: 5,
  differs: 0,
  gone: 0,
  doubled: 0,
  changedAtSource: 0,
  refused: 0,
  fields: [],
  files: null,
};
const cause = (count: number) => ({ code: "x", count, text: "", examples: [] });
const none = { differs: [], gone: [], doubled: [], changedAtSource: [], refused: [] };
const stream = (change: object = {}): WizardStreamReport => ({
  stream: "tickets",
  label: "Tickets",
  source: 10,
  written: 5,
  matched: 2,
  addsUp: true,
  skipped: [cause(1)],
  failed: [cause(1), cause(1)],
  behind: [],
  deletedAtSource: 0,
  changes: [],
  verified: { ...verified, examples: none },
  ...change,
});
const report = (...streams: readonly WizardStreamReport[]): Pick<WizardReport, "streams" | "addsUp"> => ({
  streams,
  addsUp: streams.every(({ addsUp }) => addsUp),
});

test("found records equal moved, already there, skipped and failed ones, in total too", () => {
  const totals = totalsOf(report(stream(), stream()));
  expect(totals).toEqual({ source: 20, written: 10, matched: 4, skipped: 2, failed: 4 });
  expect(accountedFor(totals)).toBe(totals.source);
});

test.each([
  ["everything matches", {}, true],
  ["the counts do not add up", { addsUp: false }, false],
  ["a copy differs", { verified: { ...verified, differs: 1 } }, false],
  ["a record could not be read again", { verified: { ...verified, refused: 1 } }, false],
  ["a record changed at the source", { verified: { ...verified, compared: 4, changedAtSource: 1 } }, true],
  ["a copy is gone", { verified: { ...verified, gone: 1 } }, false],
  ["a copy is there twice", { verified: { ...verified, doubled: 1 } }, false],
  ["nothing could be read back", { verified: { ...verified, compared: 0 } }, false],
  ["there was nothing to read back", { written: 0, verified: { ...verified, compared: 0 } }, true],
])("the seal if %s", (_, change, green) => {
  expect(isVerified(report(stream(change)))).toBe(green);
});

test("claims that all copies were compared only if none was left out", () => {
  expect(verifiedOf(report(stream())).all).toBe(true);
  expect(verifiedOf(report(stream({ verified: { ...verified, oneOf: 10 } }))).all).toBe(false);
});
