import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { trackedFiles } from "./tracked-files.ts";

export interface RepositoryCopy {
  readonly root: string;
  /** Runs lines of shell in it, ending at the first that fails; the answer is all that was printed. */
  run(code: string, env?: Readonly<Record<string, string>>): Promise<{ code: number; output: string }>;
  remove(): void;
}

/** This working tree with its packages, as another folder to change at will. */
export const copyRepository = (from: string): RepositoryCopy => {
  const root = mkdtempSync(join(tmpdir(), "portage-copy-"));
  for (const file of trackedFiles(from)) cpSync(join(from, file), join(root, file), { recursive: true });
  // Links cost no time and no space; another disk can't have them.
  try {
    execFileSync("cp", ["-al", join(from, "node_modules"), root], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", join(from, "node_modules"), root]);
  }
  // What a person's shell has, without what vitest and npm put there.
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
