// `npm run prove:stranger`: a connector for a tool that its author knew only by a page of documentation, written from
// docs/write-a-connector.md alone: its lines, the minutes that it took, and the suite on the tool.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { prove } from "../support/proof.ts";

const root = join(import.meta.dirname, "../..");
const maxLines = 550;

interface Written {
  readonly minutes: number;
  readonly lookedBeyondTheTutorial: readonly string[];
}

await prove("stranger", async (proof) => {
  const lines = globSync(join(import.meta.dirname, "connector/*.ts"))
    .map((file) => readFileSync(file, "utf8").trimEnd().split("\n").length)
    .reduce((sum, each) => sum + each, 0);
  const { minutes, lookedBeyondTheTutorial } = JSON.parse(
    readFileSync(join(import.meta.dirname, "written.json"), "utf8"),
  ) as Written;
  const suite = spawnSync("npx", ["vitest", "run", "--project", "integration", "test/stranger"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const line of suite.stdout.split("\n")) if (/[✓×↓]/.test(line)) proof.say(line);
  const [, passed = "0"] = /Tests .*?(\d+) passed/.exec(suite.stdout) ?? [];
  proof.holds("the suite is green", suite.status === 0 && Number(passed) > 0, Number(passed));
  proof.meets(`a source in at most ${maxLines} lines`, lines <= maxLines, lines);
  for (const each of lookedBeyondTheTutorial) proof.say(`the tutorial did not say: ${each}`);
  return { lines, minutes, checks: Number(passed), questions: lookedBeyondTheTutorial.length };
});
