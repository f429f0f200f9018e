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

test("needs no second run when everything passed", () => {
  const first = report(file("a", 3), file("b", 4));
  expect(failedFiles(first)).toEqual([]);
  expect(judgeTests(first, null)).toEqual({ passed: 7, failed: 0, files: 2, flaky: [], broken: [] });
});

test("reports a file that failed once as flaky, with the first failure, and counts the tests of the second run", () => {
  const first = report(file("a", 3), file("b", 1, "adds", "takes away"));
  const judged = judgeTests(first, report(file("b", 3)));
  expect(judged).toMatchObject({ passed: 6, failed: 0, broken: [] });
  expect(judged.flaky).toMatchObject([{ file: "b", first: [{ message: "adds seed 42" }, {}] }]);
});

test("fails a file that failed twice", () => {
  const judged = judgeTests(report(file("a", 1, "adds")), report(file("a", 0, "adds", "divides")));
  expect(judged).toMatchObject({ passed: 0, failed: 2, flaky: [], broken: [{ file: "a" }] });
});

test("fails a file that the second run did not reach", () => {
  const first = report(file("a", 0, "adds"));
  expect(judgeTests(first, report())).toMatchObject({ failed: 1, broken: [{ file: "a" }] });
  expect(judgeTests(first, null)).toMatchObject({ failed: 1, broken: [{ file: "a" }] });
});

test("judges the same file separately in each lane", () => {
  const other = { ...file("a", 2), project: "integration" };
  const judged = judgeTests(report(file("a", 1, "adds"), other), report({ ...file("a", 9) }));
  expect(judged).toMatchObject({ passed: 11, flaky: [{ project: "fast" }] });
});

test("reruns the file of an uncaught error; an uncaught error without a file fails the run at once", () => {
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

test("fails a run whose runner exited badly, even if every test passed", () => {
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

test("adds up two runs; a run without a report adds nothing", () => {
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
