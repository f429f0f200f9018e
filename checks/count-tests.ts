// `node checks/count-tests.ts FOLDER` adds up vitest's JSON reports and prints how many tests passed and failed;
// what failed, and why, goes to standard error.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const folder = process.argv[2];
if (!folder) throw new Error("Which folder?");
let passed = 0;
let failed = 0;
for (const file of globSync("*.json", { cwd: folder })) {
  const report = JSON.parse(readFileSync(join(folder, file), "utf8")) as Report;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const broken = assertionResults.filter((test) => test.status === "failed");
    for (const test of broken) tell(name, test.fullName, test.failureMessages.join("\n"));
    // a file that could not even be loaded has no test to blame
    if (status === "failed" && broken.length === 0) tell(name, "the file itself", message);
  }
}
console.log(`${passed} ${failed}`);

function tell(file: string, test: string, why: string): void {
  const lines = why.split("\n").slice(0, 12);
  console.error(`FAILED: ${file}: ${test}\n    ${lines.join("\n    ")}`);
}
