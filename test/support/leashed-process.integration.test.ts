import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { isAlive } from "./is-alive.ts";
import { type LeashedProcess, startLeashed } from "./leashed-process.ts";

const started: LeashedProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});
const node = (code: string) => {
  const child = startLeashed({
    name: "A child",
    command: process.execPath,
    args: ["-e", code],
    waitMs: 5_000,
  });
  started.push(child);
  return child;
};

const gone = async (pid: number) => {
  for (let waited = 0; isAlive(pid) && waited < 5_000; waited += 50) await sleep(50);
  return !isAlive(pid);
};

test("has the program's own pid, and hears lines before and after a listener asks for them", async () => {
  const child = node(
    "console.log('pid', process.pid); setTimeout(() => console.error('later'), 100); setInterval(() => {}, 1e3)",
  );
  const pid = await child.firstLine((line) => /^pid (\d+)$/.exec(line)?.[1]);
  expect(Number(pid)).toBe(child.pid);
  expect(await child.firstLine((line) => (line === "later" ? line : undefined))).toBe("later");
  expect(await child.firstLine((line) => (line.startsWith("pid") ? line : undefined))).toBe(`pid ${pid}`);
});

test("reports the output of a process that ends too early", async () => {
  const child = node("console.error('no such file'); process.exit(3)");
  await expect(child.firstLine(() => undefined)).rejects.toThrow(/A child ended too early:\nno such file/);
  expect(await child.exited).toEqual({ code: 3, signal: null });
});

test("stop also ends a suspended process", async () => {
  const child = node(
    "process.on('SIGTERM', () => process.exit(7)); console.log('up'); setInterval(() => {}, 1e3)",
  );
  await child.firstLine((line) => line);
  child.kill("SIGSTOP");
  expect(await child.stop()).toEqual({ code: 7, signal: null });
});

// Two generations: this process can't kill itself and then observe its children.
const parent = `
  const { startLeashed } = await import(${JSON.stringify(join(import.meta.dirname, "leashed-process.ts"))});
  const { createPostgres } = await import(${JSON.stringify(join(import.meta.dirname, "postgres.ts"))});
  const { startStandInProcess } = await import(${JSON.stringify(join(import.meta.dirname, "stand-in-process.ts"))});
  const postgres = await createPostgres();
  postgres.start();
  const child = startLeashed({ name: "x", command: process.execPath, args: ["-e", "setInterval(() => {}, 1e3)"] });
  const tool = await startStandInProcess({});
  console.log(JSON.stringify([child.pid, tool.pid, postgres.pid()]));
  setInterval(() => {}, 1e3);
`;

test("the child dies with this process when that is killed", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", parent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const pids = JSON.parse(line) as number[];
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  child.kill("SIGKILL");
  expect(await Promise.all(pids.map(gone))).toEqual([true, true, true]);
});
