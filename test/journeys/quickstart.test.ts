import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { descendants, startInShell } from "../support/dev-run.ts";
import { isAlive } from "../support/is-alive.ts";
import { useNewcomer } from "../support/newcomer.ts";
import { linkPackages } from "../support/repository-copy.ts";

const newcomer = useNewcomer();

/** The shell blocks of the section, unchanged. */
const quickstartBlocks = (): readonly string[] => {
  const readme = readFileSync(join(newcomer.clone, "README.md"), "utf8");
  const section = /^## Quickstart$([^]*?)^## /m.exec(readme)?.[1] ?? "";
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
};

/** One terminal: runs the lines of a block in order and stops at the first failure. */
const runBlock = (code: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile("sh", ["-e", "-c", code], { cwd: newcomer.clone, env: newcomer.env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const longRunning = "npm run dev\n";

test("the README's quickstart works, line by line", async () => {
  const [starting = "", trying = "", ...others] = quickstartBlocks();
  expect(others).toEqual([]);
  // `.ci/run` starts with the same command, in a clone as clean as this one.
  expect(starting).toBe(`npm ci\n${longRunning}`);
  linkPackages(join(import.meta.dirname, "../.."), newcomer.clone);

  const dev = startInShell(longRunning.trim(), { cwd: newcomer.clone, env: newcomer.env });
  onTestFinished(() => dev.forceEnd());
  await dev.printed(/^Ctrl-C stops everything\.$/m);

  const tried = await runBlock(trying);
  expect(tried, tried.stdout + tried.stderr).toMatchObject({ code: 0 });
  expect(tried.stdout).toContain('"name":"request-tracker"');
  const [, id = ""] = /"id":"(imp_[0-9a-z]{26})"/.exec(tried.stdout) ?? [];
  expect(tried.stdout).toMatch(new RegExp(`^${id} .* Collecting credentials`, "m"));
  expect(tried.stdout).toMatch(/^ok +API: /m);

  const children = descendants(dev.pid);
  process.kill(-dev.pid, "SIGINT");
  await dev.exited;
  expect(children.filter(isAlive)).toEqual([]);
});
