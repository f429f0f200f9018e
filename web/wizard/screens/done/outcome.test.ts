import type { WizardStreamReport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { outcomeOf } from "./outcome.ts";

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
  examples: { differs: [], gone: [], doubled: [], changedAtSource: [], refused: [] },
};
const outcome = (change: Partial<WizardStreamReport>, addsUp = true) =>
  outcomeOf({
    addsUp,
    streams: [
      {
        stream: "tickets",
        label: "Tickets",
        source: 5,
        written: 5,
        matched: 0,
        addsUp,
        skipped: [],
        failed: [],
        behind: [],
        deletedAtSource: 0,
        changes: [],
        verified,
        ...change,
      },
    ],
  });
const causes = (count: number) => [{ code: "too_large", count, examples: [] }];

test("all of it only if nothing failed and the comparison found nothing", () => {
  expect(outcome({})).toBe("all");
  expect(outcome({ source: 7, skipped: causes(2) })).toBe("all");
  expect(outcome({ verified: { ...verified, same: 4, differs: 1 } })).toBe("unverified");
  expect(outcome({}, false)).toBe("unverified");
});

test("failed records outweigh everything else", () => {
  expect(outcome({ source: 6, failed: causes(1) })).toBe("some");
  expect(outcome({ source: 6, failed: causes(1) }, false)).toBe("some");
  expect(outcome({ source: 1, written: 0, matched: 0, failed: causes(1) })).toBe("none");
});
