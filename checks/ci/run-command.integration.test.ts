import { expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

const node = (code: string, limitSeconds = 60) => ({
  name: "part",
  limitSeconds,
  command: [process.execPath, "-e", code] as const,
});
const silently = () => {};

test("prints each line with its prefix and keeps all lines", async () => {
  const printed: string[] = [];
  const { passed, ended, lines } = await runCommand(
    node('console.log("one"); console.error("two")'),
    (line) => printed.push(line),
  );
  expect({ passed, ended }).toEqual({ passed: true, ended: "exit code 0" });
  expect(lines.toSorted()).toEqual(["one", "two"]);
  expect(printed.toSorted()).toEqual(["part: one", "part: two"]);
});

test("reports a command that fails, is killed or can't start, and how it ended", async () => {
  expect(await runCommand(node("process.exit(3)"), silently)).toMatchObject({
    passed: false,
    ended: "exit code 3",
  });
  expect(await runCommand(node("process.kill(process.pid, 'SIGKILL')"), silently)).toMatchObject({
    passed: false,
    ended: "signal SIGKILL",
  });
  const missing = { name: "part", command: ["portage-no-such-program"] as const, limitSeconds: 60 };
  expect(await runCommand(missing, silently)).toMatchObject({ passed: false });
});

test("kills the command and all its children at the limit", async () => {
  const child = "setInterval(() => {}, 1000)";
  const parent = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "ignore" });
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const { passed, ended, lines } = await runCommand(node(parent, 2), silently);
  expect({ passed, ended }).toEqual({ passed: false, ended: "not done after 2 s" });
  const pid = Number(lines[0]);
  expect(pid).toBeGreaterThan(0);
  await expect
    .poll(
      () => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      },
      { timeout: 600_000 },
    )
    .toBe(false);
});
