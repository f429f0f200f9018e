import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { descendants, isAlive, startInShell } from "../support/dev-run.ts";
import { createPostgres, freePort, type PostgresServer } from "../support/postgres.ts";
import { trackedFiles } from "../support/tracked-files.ts";

const root = join(import.meta.dirname, "../..");

let postgres: PostgresServer;
let clone: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  postgres = await createPostgres();
  postgres.start();
  clone = mkdtempSync(join(tmpdir(), "portage-quickstart-"));
  for (const file of trackedFiles(root)) cpSync(join(root, file), join(clone, file), { recursive: true });
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  env = {
    // What a person's shell has, without what vitest and npm put there.
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|PORTAGE_)/.test(name)),
    ),
    DATABASE_URL: postgres.url.replace(/\/postgres$/, "/portage"),
    // Others on this machine may have the usual ports; everything else is as a newcomer has it.
    ...{ PORT: String(ports[0]), RESTATE_INGRESS_PORT: String(ports[1]) },
    ...{ RESTATE_ADMIN_PORT: String(ports[2]), RESTATE_NODE_PORT: String(ports[3]) },
  };
});
afterAll(() => {
  postgres.remove();
  rmSync(clone, { recursive: true, force: true });
});

/** The shell blocks of the section, as they stand. */
const quickstartBlocks = (): readonly string[] => {
  const readme = readFileSync(join(clone, "README.md"), "utf8");
  const section = /^## Quickstart$([^]*?)^## /m.exec(readme)?.[1] ?? "";
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
};

/** One terminal: the lines of a block, one after another, ending at the first that fails. */
const runBlock = (code: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile("sh", ["-e", "-c", code], { cwd: clone, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const longRunning = "npm run dev\n";

test("the README's quickstart works, line by line", async () => {
  const [starting = "", trying = "", ...others] = quickstartBlocks();
  expect(others).toEqual([]);
  expect(starting.endsWith(longRunning)).toBe(true);
  const before = await runBlock(starting.slice(0, -longRunning.length));
  expect(before, before.stderr).toMatchObject({ code: 0 });

  const dev = startInShell(longRunning.trim(), { cwd: clone, env });
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
