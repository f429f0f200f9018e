import { expect } from "vitest";
import { readExcerpt, readVendorFile } from "./excerpt-file.ts";
import { type ExcerptPlan, makeSpecExcerpt, type SpecExcerpt } from "./spec-excerpt.ts";

/** Holds a committed excerpt to its rules, and to the vendor's file if VENDOR_SPECS has it. */
export const expectExcerpt = (tool: string, plan: ExcerptPlan): SpecExcerpt => {
  const excerpt = readExcerpt(tool);
  expect(excerpt.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(Object.keys(excerpt.operations)).toEqual(plan.operations);
  // Facts only: a sentence would have a space and a full stop.
  expect(JSON.stringify(excerpt)).not.toMatch(/[a-z] [a-z]+ [a-z]+\./);
  const text = readVendorFile(tool);
  expect(text === null ? excerpt : makeSpecExcerpt(text, plan)).toEqual(excerpt);
  return excerpt;
};
