import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const count = (reports: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), "portage-reports-"));
  try {
    for (const [index, report] of reports.entries()) writeFileSync(join(folder, `${index}.json`), report);
    return spawnSync(process.execPath, [join(import.meta.dirname, "count-tests.ts"), folder], {
      encoding: "utf8",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test("adds up all reports", () => {
  const { stdout } = count([
    '{"numPassedTests":3,"numFailedTests":1,"testResults":[]}',
    '{"numPassedTests":4,"numFailedTests":0,"numPendingTests":9,"testResults":[]}',
  ]);
  expect(stdout).toBe("7 1\n");
});

test("says which tests failed and why, and which file could not be loaded", () => {
  const failing = { fullName: "adds", status: "failed", failureMessages: ["expected 2 to be 3"] };
  const passing = { fullName: "takes away", status: "passed", failureMessages: [] };
  const { stderr } = count([
    JSON.stringify({
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        { name: "sums.test.ts", status: "failed", message: "", assertionResults: [failing, passing] },
        { name: "broken.test.ts", status: "failed", message: "no such module", assertionResults: [] },
      ],
    }),
  ]);
  expect(stderr).toBe(
    "FAILED: sums.test.ts: adds\n    expected 2 to be 3\nFAILED: broken.test.ts: the file itself\n    no such module\n",
  );
});

test("no report is no test", () => {
  expect(count([]).stdout).toBe("0 0\n");
});

test("a report cut short is an error, not a zero", () => {
  const { status, stdout } = count(['{"numPassedTests":3']);
  expect(status).not.toBe(0);
  expect(stdout).toBe("");
});
