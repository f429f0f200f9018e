// `npm run lock` adds the packages that npm left out to package-lock.json; `-- --verify` fails when one is missing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeLock, type LockFile, missingFromLock } from "./lock-file.ts";

const file = join(import.meta.dirname, "../package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8")) as LockFile;
const missing = missingFromLock(lock);
if (!process.argv.includes("--verify")) {
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
  console.log(`${missing.length} packages added to package-lock.json`);
} else if (missing.length > 0) {
  console.error(`package-lock.json leaves out ${missing.map(({ name }) => name).join(", ")}: npm run lock`);
  process.exitCode = 1;
}
