import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface CommandResult {
  readonly passed: boolean;
  /** How the command ended: an exit code, a signal, or the limit. */
  readonly ended: string;
  readonly lines: readonly string[];
  readonly seconds: number;
}

export interface Command {
  /** The prefix of each line. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly limitSeconds: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command in its own process group, so that the limit kills all of it; prints each line as it arrives. */
export const runCommand = (
  { name, command: [program, ...args], limitSeconds, env = {} }: Command,
  print: (line: string) => void,
): Promise<CommandResult> =>
  new Promise((resolve) => {
    const started = performance.now();
    const lines: string[] = [];
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const signalAll = (signal: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // the process has exited
      }
    };
    let isOver = false;
    const limit = setTimeout(() => {
      isOver = true;
      signalAll("SIGTERM");
      setTimeout(() => signalAll("SIGKILL"), 20_000).unref();
    }, limitSeconds * 1_000);
    const onExit = () => signalAll("SIGKILL");
    process.once("exit", onExit);
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        print(`${name}: ${line}`);
      });
    const finish = (passed: boolean, ended: string) => {
      clearTimeout(limit);
      process.removeListener("exit", onExit);
      resolve({ passed, ended, lines, seconds: Math.round((performance.now() - started) / 1_000) });
    };
    child.once("error", (error) => finish(false, error.message));
    child.once("close", (code, signal) => {
      if (isOver) finish(false, `not done after ${limitSeconds} s`);
      else finish(code === 0, signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
