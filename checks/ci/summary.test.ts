import { expect, test } from "vitest";
import { judgeTests, mergeTests } from "./judge-tests.ts";
import { type RunOutcome, type StepOutcome, summarize } from "./summary.ts";
import type { TestFileResult } from "./test-report.ts";

const step = (name: string, verdict: StepOutcome["verdict"], printed = 1): StepOutcome => ({
  name,
  verdict,
  seconds: 7,
  ended: verdict === "passed" ? "exit code 0" : "exit code 1",
  seed: "k3",
  lines: Array.from({ length: printed }, (_, index) => `${name} line ${index}`),
});
const file = (name: string, passed: number, failing: readonly string[] = []): TestFileResult => ({
  project: "fast",
  file: name,
  passed,
  importMs: 1,
  runMs: 1,
  failures: failing.map((each) => ({ test: each, message: "expected 2 to be 3\nseed 99" })),
});
const outcome = (given: Partial<RunOutcome>): RunOutcome => ({
  steps: [step("chaos", "passed")],
  files: [],
  setUps: [],
  cpu: [],
  cpuSeconds: 90,
  retried: "",
  seconds: 60,
  tests: judgeTests({ files: [file("a.test.ts", 3)], unhandled: [] }, null),
  ...given,
});

test("ends with the number of passed and failed steps and tests", () => {
  const { lines, passed } = summarize(outcome({}));
  expect(lines.at(-1)).toBe("4 passed, 0 failed");
  expect(passed).toBe(true);
});

test("prints failures last, with the seed and the end of the output", () => {
  const { lines, passed } = summarize(outcome({ steps: [step("chaos", "failed", 400)] }));
  expect(passed).toBe(false);
  expect(lines).toContain("FAILED: chaos: exit code 1, seed k3; the end of what it printed:");
  expect(lines).toContain("    chaos line 399");
  expect(lines.at(-1)).toBe("3 passed, 1 failed");
});

test("lists flaky steps with the first failure and does not fail the run", () => {
  const first = { files: [file("a.test.ts", 0, ["adds"])], unhandled: [] };
  const tests = judgeTests(first, { files: [file("a.test.ts", 1)], unhandled: [] });
  const { lines, passed } = summarize(outcome({ tests, steps: [step("fuzz", "flaky")], retried: "redmine" }));
  expect(passed).toBe(true);
  expect(lines).toEqual(
    expect.arrayContaining([
      "FLAKY, passed at the second try: redmine",
      "FLAKY, passed when it ran again: |fast| a.test.ts: adds",
      "    seed 99",
      "FLAKY, passed when it ran again: fuzz: exit code 1, seed k3",
      "1 test files, 2 flaky",
      "2 passed, 0 failed",
    ]),
  );
});

test("lists the files that cost most CPU time first, at most 20", () => {
  const cpu = Array.from({ length: 30 }, (_, index) => ({
    file: `cost-${index}.test.ts`,
    seconds: index + 0.5,
  }));
  const listed = summarize(outcome({ cpu })).lines.filter((line) => line.includes("cost-"));
  expect(listed).toHaveLength(20);
  expect(listed[0]).toBe("  29.5  cost-29.test.ts");
});

test("fails a run without a test", () => {
  const { lines, passed } = summarize(outcome({ tests: mergeTests([null]) }));
  expect(passed).toBe(false);
  expect(lines).toContain("FAILED: no test ran");
  expect(lines.at(-1)).toBe("1 passed, 1 failed");
});

test("fits into 200 lines, with the failures before the times", () => {
  const names = Array.from({ length: 80 }, (_, index) => `${index}.test.ts`);
  const bad = { files: names.map((name) => file(name, 0, ["adds"])), unhandled: [] };
  const { lines } = summarize(
    outcome({ tests: judgeTests(bad, bad), files: bad.files, steps: [step("chaos", "failed", 100)] }),
  );
  expect(lines.length).toBeLessThanOrEqual(200);
  expect(lines[0]).toBe("FAILED TWICE: |fast| 0.test.ts: adds");
  expect(lines.at(-1)).toBe("0 passed, 81 failed");
});

test("adds up set-ups by name, the longest first", () => {
  const setUps = [
    { what: "database", ms: 100 },
    { what: "browser", ms: 900 },
    { what: "database", ms: 1_900 },
  ];
  const { lines } = summarize(outcome({ setUps }));
  const at = lines.indexOf("=== set-ups, in seconds of all files together");
  expect(lines.slice(at + 1, at + 3)).toEqual(["   2.0  database, 2 times", "   0.9  browser, 1 times"]);
});
