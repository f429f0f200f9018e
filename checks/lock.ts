// `npm run lock` adds the packages that npm left out to package-lock.json, with the digests that the registry has for them;
// `-- --verify` fails when one is missing or has no digest.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  completeLock,
  fromElsewhere,
  type LockFile,
  missingFromLock,
  withoutIntegrity,
} from "./lock-file.ts";

const file = join(import.meta.dirname, "../package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8")) as LockFile;
const missing = missingFromLock(lock);

/** The digest of a package by the registry that npm is configured with. Throws if the registry does not have it. */
const digestOf = (name: string, version: string): string =>
  execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { encoding: "utf8" }).trim();

if (!process.argv.includes("--verify")) {
  writeFileSync(file, `${JSON.stringify(completeLock(lock, digestOf), null, 2)}\n`);
  console.log(`${missing.length} packages added to package-lock.json`);
} else {
  const problems = [
    ["leaves out", missing.map(({ name }) => name), "npm run lock"],
    [
      "has no sha512 digest of",
      withoutIntegrity(lock),
      "npm run lock; if the registry does not have one, use a release whose packages it has for every platform",
    ],
    [
      "names another registry for",
      fromElsewhere(lock),
      "npm config set omit-lockfile-registry-resolved true",
    ],
  ] as const;
  for (const [what, names, fix] of problems) {
    if (names.length === 0) continue;
    console.error(`package-lock.json ${what} ${names.join(", ")}: ${fix}`);
    process.exitCode = 1;
  }
}
