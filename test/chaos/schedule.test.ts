import { createRandom } from "@portage/connector-kit/conformance";
import { expect, test } from "vitest";
import { createFaultKinds } from "./fault-kinds.ts";
import { scheduleFaults } from "./schedule.ts";

const { kinds } = createFaultKinds(() => {});
const names = (seed: string, count: number) =>
  scheduleFaults(kinds, count, createRandom(seed)).map(({ name }) => name);

test("gives the same faults for the same seed, and others for another seed", () => {
  expect(names("a", 60)).toEqual(names("a", 60));
  expect(names("a", 60)).not.toEqual(names("b", 60));
});

test("schedules the requested number, each kind at least once if possible", () => {
  for (const seed of ["a", "b", "c"]) {
    expect(names(seed, 60)).toHaveLength(60);
    expect(new Set(names(seed, 60)).size).toBe(kinds.length);
    expect(new Set(names(seed, 5)).size).toBe(5);
  }
});
