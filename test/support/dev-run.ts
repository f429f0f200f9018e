import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { patienceMs } from "./patience.ts";
import { isAlive } from "./is-alive.ts";

/** Every process that descends from this one, by /proc. */
export const descendants = (pid: number): readonly number[] => {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // after the name in parentheses: state, then the parent
        const parent = Number(
          readFileSync(`/proc/${name}/stat`, "utf8")
            .replace(/^.*\) \S /s, "")
            .split(" ")[0],
        );
        return [{ pid: Number(name), parent }];
      } catch {
        return []; // the process ended in between
      }
    });
  const below = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
};

export interface DevRun {
  readonly pid: number;
  /** Its output, on both streams. */
  output(): string;
  /** Waits for this output. Throws with the output when the process ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Kills the whole process group, in any state. */
  forceEnd(): void;
}

/** Runs a shell line in its own process group, as a terminal would. */
export const startInShell = (line: string, options: { cwd: string; env: NodeJS.ProcessEnv }): DevRun => {
  const child: ChildProcess = spawn("sh", ["-c", `exec ${line}`], { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${line} did not start.`);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  const exited = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {
    pid,
    exited,
    output: () => text,
    printed: async (pattern) => {
      const giveUpAt = performance.now() + patienceMs;
      while (performance.now() < giveUpAt) {
        const found = pattern.exec(text);
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null) break;
        await sleep(50);
      }
      throw new Error(`${line} did not print ${pattern}, but:\n${text}`);
    },
    forceEnd: () => {
      for (const each of [...descendants(pid), pid]) if (isAlive(each)) process.kill(each, "SIGKILL");
    },
  };
};
