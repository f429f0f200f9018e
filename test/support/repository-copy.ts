import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { trackedFiles } from "./tracked-files.ts";

export interface RepositoryCopy {
  readonly root: string;
  /** Runs shell lines in the copy and stops at the first failure; returns the whole output. */
  run(code: string, env?: Readonly<Record<string, string>>): Promise<{ code: number; output: string }>;
  remove(): void;
}

/** As `npm ci` would install them. Hard links cost no time and no space; they need the same disk. */
export const linkPackages = (from: string, to: string): void => {
  try {
    execFileSync("cp", ["-al", join(from, "node_modules"), to], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", join(from, "node_modules"), to]);
    return;
  }
  // npm writes its list of what is installed in place, so through a link it would change that of the original.
  const list = join(to, "node_modules/.package-lock.json");
  const text = readFileSync(list);
  rmSync(list);
  writeFileSync(list, text);
};

/** A copy of this working tree with its packages, to be changed freely. */
export const copyRepository = (from: string): RepositoryCopy => {
  const root = mkdtempSync(join(tmpdir(), "portage-copy-"));
  for (const file of trackedFiles(from)) cpSync(join(from, file), join(root, file), { recursive: true });
  linkPackages(from, root);
  // A person's shell environment, without the variables of vitest and npm.
  const plain = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VITEST|TEST_REPORTS$|NODE_ENV$|PORTAGE_)/.test(name),
    ),
  );
  return {
    root,
    run: (code, env = {}) =>
      new Promise((resolve) => {
        execFile(
          "sh",
          ["-e", "-c", code],
          { cwd: root, env: { ...plain, NO_COLOR: "1", ...env }, maxBuffer: 16 * 1024 ** 2 },
          (error, stdout, stderr) =>
            resolve({
              code: error ? Number(error.code ?? 1) : 0,
              output: stripVTControlCharacters(stdout + stderr),
            }),
        );
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
