import { expect, test } from "vitest";
import { createFindings } from "./findings.ts";

const refused = { status: 429, retryAfterMs: null, quotas: [] };

test("the wait of a dialect pauses this process at once, and all others with its report", () => {
  const findings = createFindings();
  findings.note({ ...refused, usualWaitMs: 10_000 }, "any", 1_000, 1_200);
  expect(findings.pausedUntil()).toBe(11_200);
  // Only what the tool itself said tells when its quota is free again.
  expect(findings.take().refused).toEqual({ firstMs: 1_000, lastMs: 1_000, freeMs: null, until: 11_200 });
});

test("a wait that the tool asked for counts before the dialect's", () => {
  const findings = createFindings();
  findings.note({ ...refused, retryAfterMs: 2_500, usualWaitMs: 10_000 }, "any", 1_000, 1_200);
  expect(findings.pausedUntil()).toBe(3_700);
});
