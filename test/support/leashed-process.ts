import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { patienceMs } from "./patience.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LeashedProcess {
  readonly pid: number;
  /** The whole output, line by line, as it arrives; empty if the output goes to a log file. */
  readonly lines: string[];
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM and waits for the exit; kills a process that does not react. */
  stop(): Promise<Exit>;
  /** The first line, past or future, for which `read` returns a value. Throws with the output if the process ends. */
  firstLine<T>(read: (line: string) => T | undefined): Promise<T>;
}

export interface LeashedOptions {
  /** A readable name: "The API". */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Its output goes here and not through this process, which saves CPU time. */
  readonly logFile?: string | undefined;
  /** The group that it runs as, by which a firewall can tell its packets from others'. Needs root. */
  readonly gid?: number | undefined;
  readonly waitMs?: number;
}

// The kernel then kills the child when this process ends, however it ends; the pid is the program's own.
const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));
const leash = setpriv ? [setpriv, "--pdeathsig", "KILL", "--"] : [];

const follow = (child: ChildProcess, lines: string[], heard: Set<() => void>) => {
  const keep = (line: string) => {
    lines.push(line);
    for (const listener of heard) listener();
  };
  if (child.stdout) createInterface({ input: child.stdout }).on("line", keep);
  if (child.stderr) createInterface({ input: child.stderr }).on("line", keep);
};

/** Starts a program that must not outlive this process. */
export const startLeashed = (options: LeashedOptions): LeashedProcess => {
  const { name, command, args, env, logFile, gid, waitMs = patienceMs } = options;
  const log = logFile === undefined ? "pipe" : openSync(logFile, "a");
  const [program = "", ...words] = [...leash, command, ...args];
  // Standard input stays open as long as this process lives: a child may rely on that.
  const child = spawn(program, words, {
    env: env ?? process.env,
    stdio: ["pipe", log, log],
    ...(gid === undefined ? {} : { gid }),
  });
  if (typeof log === "number") closeSync(log);
  if (child.pid === undefined) throw new Error(`${name} could not be started: ${command}`);
  const lines: string[] = [];
  const heard = new Set<() => void>();
  follow(child, lines, heard);
  child.stdin?.on("error", () => {}); // the process is gone, which `exited` reports
  let ended = false;
  const exited = new Promise<Exit>((resolve) => {
    // "close", not "exit": by then its last line has been read.
    child.once("close", (code, signal) => {
      ended = true;
      for (const listener of heard) listener();
      resolve({ code, signal });
    });
  });
  const killOnExit = () => void child.kill("SIGKILL");
  process.once("exit", killOnExit);
  void exited.then(() => process.removeListener("exit", killOnExit));
  return {
    pid: child.pid,
    lines,
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill("SIGTERM");
      child.kill("SIGCONT"); // a suspended process would never receive SIGTERM
      const stopped = await Promise.race([exited, sleep(waitMs, undefined, { ref: false })]);
      if (!stopped) child.kill("SIGKILL");
      return exited;
    },
    firstLine: (read) =>
      new Promise((resolve, reject) => {
        let at = 0;
        const finish = () => {
          clearTimeout(timer);
          heard.delete(look);
        };
        const fail = (why: string) => {
          finish();
          reject(new Error(`${name} ${why}:\n${lines.slice(-50).join("\n")}`));
        };
        const look = () => {
          for (; at < lines.length; at += 1) {
            const found = read(lines[at] ?? "");
            if (found === undefined) continue;
            finish();
            return resolve(found);
          }
          if (ended) fail("ended too early");
        };
        const timer = setTimeout(() => fail("did not start in time"), waitMs);
        heard.add(look);
        look();
      }),
  };
};
