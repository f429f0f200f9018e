import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { type Part, runParts } from "./run-parts.ts";

const node = (name: string, code: string): Part => ({ name, command: [process.execPath, "-e", code] });

const runAll = async (parts: readonly Part[]) => {
  let shown = "";
  const failed = await runParts(parts, tmpdir(), (text) => {
    shown += text;
  });
  return { failed, shown };
};

test("continues after a failure, shows the output of the failing part only, and names it", async () => {
  const { failed, shown } = await runAll([
    node("good", 'console.log("quiet when it passes")'),
    node("bad", 'console.log("on stdout"); console.error("on stderr"); process.exit(3)'),
    node("after", ""),
  ]);
  expect(failed).toEqual(["bad"]);
  expect(shown).not.toContain("quiet when it passes");
  expect(shown).toContain("on stdout");
  expect(shown).toContain("on stderr");
  expect(shown.match(/^(passed|FAILED) .*s$/gm)?.map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
    ["passed", "good"],
    ["FAILED", "bad"],
    ["passed", "after"],
  ]);
});

test("counts a part that is killed or can't start as failed", async () => {
  const { failed, shown } = await runAll([
    node("killed", "process.kill(process.pid, 'SIGKILL')"),
    { name: "missing", command: ["portage-no-such-program"] },
  ]);
  expect(failed).toEqual(["killed", "missing"]);
  expect(shown).toContain("ENOENT");
});

test("shows the output of a slow part while it runs", async () => {
  const { shown } = await runAll([{ ...node("slow", 'console.log("a third of it")'), isSlow: true }]);
  expect(shown).toMatch(/^a third of it\npassed  slow/);
});
