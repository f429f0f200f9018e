import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { purchaseKey } from "./use-purchase.ts";

const before = {
  asked: true,
  paid: true,
  sponsorship: "none",
  run: { id: "run_1", kind: "sample", state: "done" },
  status: { code: "in_preparation", text: "In preparation" },
} as unknown as WizardImport;

test("a failed move keeps the status, but reloads the purchase, because a refund may be possible now", () => {
  const failed = { ...before, run: { id: "run_2", kind: "full", state: "failed" } } as WizardImport;
  expect(purchaseKey(failed)).not.toBe(purchaseKey(before));
  expect(purchaseKey({ ...before })).toBe(purchaseKey(before));
});
