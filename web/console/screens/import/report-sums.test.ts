import { expect, test } from "vitest";
import { reportSums } from "./report-sums.ts";

const stream = {
  source: 50,
  written: 44,
  matched: 1,
  skipped: [
    { code: "user_unmatched", count: 1 },
    { code: "parent_missing", count: 2 },
  ],
  failed: [{ code: "too_large", count: 2 }],
  behind: [{ code: "edited_since", count: 3 }],
};

test("every record of the source has one outcome; what is not up to date is one that was copied", () => {
  expect(reportSums(stream)).toEqual({ skipped: 3, failed: 2, behind: 3, unaccounted: 0 });
});

test("what has no outcome, or two, does not add up", () => {
  expect(reportSums({ ...stream, source: 51 }).unaccounted).toBe(1);
  expect(reportSums({ ...stream, source: 49 }).unaccounted).toBe(-1);
});
