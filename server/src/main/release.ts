import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import serverPackage from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../../..");

/** All files that determine what a worker does with a chunk: our code and the versions of its dependencies. */
const patterns = [
  "{contract,connector-kit,connectors,server/src}/**/*.{ts,json}",
  "server/package.json",
  "package-lock.json",
];

/** The release: the version and a hash of the files, so that a forgotten version bump does no harm. */
export const readRelease = (folder: string = root): string => {
  const files = globSync(patterns, {
    cwd: folder,
    exclude: ["**/node_modules/**", "**/*.test.ts"],
  }).toSorted();
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update("\0");
  return `${serverPackage.version}-${hash.digest("hex").slice(0, 12)}`;
};
