// `node checks/count-tests.ts FOLDER` adds up vitest's JSON reports and prints how many tests passed and failed.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
if (!folder) throw new Error("Which folder?");
let passed = 0;
let failed = 0;
for (const file of globSync("*.json", { cwd: folder })) {
  const report = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
  };
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
console.log(`${passed} ${failed}`);
