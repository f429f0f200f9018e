import { expect, test } from "vitest";
import { failedFiles, judgeTests, mergeTests, verdictOf } from "./judge-tests.ts";
import type { TestFileResult, TestReport } from "./test-report.ts";

const file = (name: string, passed: number, ...failing: readonly string[]): TestFileResult => ({
  project: "fast",
  file: name,
  passed,
  importMs: 1,
  runMs: 1,
  failures: failing.map((each) => ({ test: each, message: `${each} seed 42` })),
});
const report = (...files: readonly TestFileResult[]): TestReport => ({ files, unhandled: [] });

test("all that passed at once needs no second run", () => {
  const first = report(file("a", 3), file("b", 4));
  expect(failedFiles(first)).toEqual([]);
  expect(judgeTests(first, null)).toEqual({ passed: 7, failed: 0, files: 2, flaky: [], broken: [] });
});

test("what failed once is flaky, with what the first run said, and its tests count as they ended", () => {
  const first = report(file("a", 3), file("b", 1, "adds", "takes away"));
  const judged = judgeTests(first, report(file("b", 3)));
  expect(judged).toMatchObject({ passed: 6, failed: 0, broken: [] });
  expect(judged.flaky).toMatchObject([{ file: "b", first: [{ message: "adds seed 42" }, {}] }]);
});

test("what failed twice has failed", () => {
  const judged = judgeTests(report(file("a", 1, "adds")), report(file("a", 0, "adds", "divides")));
  expect(judged).toMatchObject({ passed: 0, failed: 2, flaky: [], broken: [{ file: "a" }] });
});

test("a file that the second run did not get to has failed", () => {
  const first = report(file("a", 0, "adds"));
  expect(judgeTests(first, report())).toMatchObject({ failed: 1, broken: [{ file: "a" }] });
  expect(judgeTests(first, null)).toMatchObject({ failed: 1, broken: [{ file: "a" }] });
});

test("the same file in two lanes is judged in each", () => {
  const other = { ...file("a", 2), project: "integration" };
  const judged = judgeTests(report(file("a", 1, "adds"), other), report({ ...file("a", 9) }));
  expect(judged).toMatchObject({ passed: 11, flaky: [{ project: "fast" }] });
});

test("an error that no test caught sends its file to the second run; without a file it fails at once", () => {
  const first = { ...report(file("a", 2), file("b", 1)), unhandled: [{ file: "a", message: "late" }] };
  expect(failedFiles(first).map(({ file: name }) => name)).toEqual(["a"]);
  expect(judgeTests(first, report(file("a", 2)))).toMatchObject({
    passed: 3,
    failed: 0,
    flaky: [{ file: "a" }],
  });
  const stray = { ...report(file("b", 1)), unhandled: [{ file: null, message: "late" }] };
  expect(judgeTests(stray, null)).toMatchObject({ passed: 1, failed: 1, broken: [{ file: "unknown file" }] });
});

test("a run that ended badly has failed, also where no test says so", () => {
  const fine = judgeTests(report(file("a", 3)), null);
  const flaky = judgeTests(report(file("a", 1, "adds")), report(file("a", 2)));
  const broken = judgeTests(report(file("a", 1, "adds")), report(file("a", 1, "adds")));
  expect([verdictOf(fine, true), verdictOf(flaky, true), verdictOf(broken, false)]).toEqual([
    "passed",
    "flaky",
    "failed",
  ]);
  expect([verdictOf(fine, false), verdictOf(flaky, false), verdictOf(broken, true)]).toEqual([
    "failed",
    "failed",
    "failed",
  ]);
});

test("two runs are added up, and one that left nothing adds nothing", () => {
  const one = judgeTests(report(file("a", 3)), null);
  const other = judgeTests(report(file("b", 1, "adds")), report(file("b", 1, "adds")));
  expect(mergeTests([one, null, other])).toMatchObject({
    passed: 4,
    failed: 1,
    files: 2,
    flaky: [],
    broken: [{ file: "b" }],
  });
});
