import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

let ticksPerSecond: number | undefined;

/** Two neighbouring fields of /proc/PID/stat: time in user mode, and in the kernel. */
const timeMs = (pid: number, at: number): number => {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before the last bracket may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[at]) + Number(fields[at + 1])) * 1_000) / ticksPerSecond;
};

/** CPU time of a process since its start, user and system. */
export const cpuMsOf = (pid: number): number => timeMs(pid, 11);

/** CPU time of the children of a process that have ended. */
export const cpuMsOfEnded = (pid: number): number => timeMs(pid, 13);
