import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { standingOf } from "./use-purchase.ts";

const before = {
  asked: true,
  paid: true,
  sponsorship: "none",
  run: { id: "run_1", kind: "sample", state: "done" },
  status: { code: "in_preparation", text: "In preparation" },
} as unknown as WizardImport;

test("a move that could not go on leaves the status as it was, and what can be given back is asked for anew", () => {
  const failed = { ...before, run: { id: "run_2", kind: "full", state: "failed" } } as WizardImport;
  expect(standingOf(failed)).not.toBe(standingOf(before));
  expect(standingOf({ ...before })).toBe(standingOf(before));
});
