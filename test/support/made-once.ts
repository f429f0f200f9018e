import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./is-alive.ts";

/** Returns whether this process holds the lock now. Breaks the lock of a process that has ended. */
const takeLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    try {
      const owner = Number(readFileSync(lock, "utf8"));
      if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
    } catch {
      // released in between
    }
    return false;
  }
};

/**
 * A folder that takes long to make and never changes, such as a database with a schema or a tool with its records. It is
 * made once per machine, atomically; concurrent callers wait for it. Its name contains everything that it depends on.
 */
export const madeOnce = async (
  folder: string,
  make: (aside: string) => Promise<void> | void,
): Promise<string> => {
  const lock = `${folder}.lock`;
  const aside = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  while (!existsSync(folder)) {
    if (!takeLock(lock)) {
      await sleep(200);
      continue;
    }
    try {
      if (existsSync(folder)) break;
      rmSync(aside, { recursive: true, force: true });
      mkdirSync(aside);
      await make(aside);
      renameSync(aside, folder);
    } finally {
      rmSync(aside, { recursive: true, force: true });
      rmSync(lock, { force: true });
    }
  }
  return folder;
};
