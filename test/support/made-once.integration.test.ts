import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { madeOnce } from "./made-once.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "portage-once-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test("concurrent callers wait and get the same folder", async () => {
  let made = 0;
  const make = async (folder: string) => {
    made += 1;
    await sleep(300);
    writeFileSync(join(folder, "it"), `number ${made}`);
  };
  const folders = await Promise.all([1, 2, 3].map(() => madeOnce(join(base, "x"), make)));
  expect(made).toBe(1);
  for (const folder of folders) expect(readFileSync(join(folder, "it"), "utf8")).toBe("number 1");
  expect(readdirSync(base)).toEqual(["x"]);
});

test("a failed attempt leaves nothing, and the next caller makes it", async () => {
  const folder = join(base, "x");
  const failing = madeOnce(folder, (aside) => {
    writeFileSync(join(aside, "half"), "");
    throw new Error("no room");
  });
  await expect(failing).rejects.toThrow("no room");
  expect(readdirSync(base)).toEqual([]);
  await madeOnce(folder, () => {});
  expect(existsSync(folder)).toBe(true);
});

test("takes over the lock of a killed process", async () => {
  const child = fork("/dev/null");
  await once(child, "exit");
  writeFileSync(join(base, "x.lock"), String(child.pid));
  await madeOnce(join(base, "x"), () => {});
  expect(existsSync(join(base, "x.lock"))).toBe(false);
});
