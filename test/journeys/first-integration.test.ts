import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startInShell } from "../support/dev-run.ts";
import { useNewcomer } from "../support/newcomer.ts";
import { linkPackages } from "../support/repository-copy.ts";

const page = "docs/first-integration.md";
const maxCommands = 8;

const newcomer = useNewcomer();

const blocks = () =>
  [...readFileSync(join(newcomer.clone, page), "utf8").matchAll(/^```sh\n([^]*?)^```$/gm)].map(
    ([, code = ""]) => code,
  );

/** A trailing backslash continues the line. */
const commandsIn = (code: string) => code.replaceAll(/\\\n/g, "").trim().split("\n");

test("the page, command by command, ends with a verified webhook", async () => {
  const [starting = "", receiving = "", given = "", trying = "", ...others] = blocks();
  expect(others).toEqual([]);
  const commands = [...commandsIn(starting), ...commandsIn(receiving)];
  expect(commands.length).toBeLessThanOrEqual(maxCommands);
  const [install = "", run = "", ...none] = commandsIn(starting);
  expect(none).toEqual([]);

  // `.ci/run` installs with the same command for real.
  expect(install).toBe("npm ci");
  linkPackages(join(import.meta.dirname, "../.."), newcomer.clone);
  const startedAt = performance.now();
  // `env`, since a shell that replaces itself by the command would not set the variables before it.
  const dev = startInShell(`env ${run}`, { cwd: newcomer.clone, env: newcomer.env });
  onTestFinished(() => dev.forceEnd());
  await dev.printed(/^Ctrl-C stops everything\.$/m);

  // A terminal stays open after its last line.
  const terminal = join(newcomer.folder, "terminal.sh");
  writeFileSync(terminal, `${receiving}\nwait\n`);
  const receiver = startInShell(`sh -e ${terminal}`, { cwd: newcomer.clone, env: newcomer.env });
  onTestFinished(() => receiver.forceEnd());
  await receiver.printed(/^verified import\.status_changed: sim_[0-9a-z]{26} stands at /m);
  const tookMs = performance.now() - startedAt;
  console.log(
    JSON.stringify({
      commands: commands.length,
      verifiedAfterSeconds: Math.round(tookMs / 1_000),
    }),
  );

  await receiver.printed(/stands at Migration completed$/m);
  expect(receiver.output()).not.toContain("refused");
  expect(receiver.output()).toMatch(/"redirect_url":"http:\/\/127\.0\.0\.1:\d+\/imports\/sim_/);

  // With an operator's address and token: the same service, as if it were one.
  const [variables = "", ...asking] = commandsIn(given);
  expect(variables).toMatch(/^export PORTAGE_URL=\S+ PORTAGE_TOKEN=\S+ HOOK_URL=\S+$/);
  const partner = join(newcomer.folder, "partner.sh");
  writeFileSync(
    partner,
    [
      ". .dev/env",
      "export HOOK_URL=http://127.0.0.1:4700/",
      // On a busy machine the watcher may be starting the API again, because of files that were only just copied.
      'curl() { command curl --silent --show-error --fail-with-body --retry 20 --retry-delay 1 --retry-connrefused "$@"; }',
      ...asking,
      ...commandsIn(trying),
    ].join("\n"),
  );
  const asked = startInShell(`sh -e ${partner}`, { cwd: newcomer.clone, env: newcomer.env });
  onTestFinished(() => asked.forceEnd());
  expect(await asked.exited, asked.output()).toMatchObject({ code: 0 });
  expect(asked.output()).toContain('"url":"http://127.0.0.1:4700/"');
  await receiver.printed(/^verified webhook\.test: /m);
});
