import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const runningFile = (folder: string) => join(folder, "running.json");
const patienceMs = 10_000;

export interface ChildPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The file for its output; null: this terminal. */
  readonly logFile: string | null;
}

export interface Children {
  start(plan: ChildPlan): void;
  /** Rejects when a child ends before `stop`. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A group lives as long as any process in it: `node --watch` runs the API as its own child. */
const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
};

/** Refuses to start beside another run: both would write the same folder. */
export const refuseSecondRun = (folder: string, command: string): void => {
  let pids: number[];
  try {
    pids = JSON.parse(readFileSync(runningFile(folder), "utf8")) as number[];
  } catch {
    return; // nothing runs, or the file is unreadable
  }
  const alive = pids.filter(isAlive);
  if (alive.length > 0)
    throw new Error(
      `${command} is running already, or was killed and left processes behind: ${alive.join(", ")}.\n` +
        `End it with Ctrl-C in its terminal, or: kill ${alive.join(" ")}\n` +
        `If these are other programs by now, delete ${runningFile(folder)}.`,
    );
};

export const createChildren = (folder: string): Children => {
  const started = new Map<string, ChildProcess>();
  const ending = Promise.withResolvers<never>();
  // It may reject when no caller awaits it any more.
  ending.promise.catch(() => {});
  let stopping = false;
  const note = () => {
    const pids = [...started.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    writeFileSync(runningFile(folder), JSON.stringify([process.pid, ...pids]));
  };
  note();
  return {
    ended: ending.promise,
    start: ({ name, command, args, env, logFile }) => {
      const log = logFile === null ? "inherit" : openSync(logFile, "w", 0o600);
      // Its own process group: Ctrl-C reaches only this process, which then stops the children.
      const child = spawn(command, args, { env, detached: true, stdio: ["ignore", log, log] });
      if (typeof log === "number") closeSync(log);
      const fail = (how: string) => {
        if (!stopping)
          ending.reject(new Error(`${name} ended (${how}).${logFile === null ? "" : ` See ${logFile}`}`));
      };
      child.once("error", (error) => fail(error.message));
      child.once("exit", (code, signal) => fail(signal ?? `exit code ${code}`));
      started.set(name, child);
      note();
    },
    stop: async () => {
      stopping = true;
      const pids = [...started.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
      for (const pid of pids) signalGroup(pid, "SIGTERM");
      const giveUpAt = performance.now() + patienceMs;
      while (pids.some((pid) => signalGroup(pid, 0))) {
        if (performance.now() > giveUpAt) for (const pid of pids) signalGroup(pid, "SIGKILL");
        await sleep(50);
      }
      rmSync(runningFile(folder), { force: true });
    },
  };
};
