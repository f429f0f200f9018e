import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

let ticksPerSecond: number | undefined;

/** CPU time that a process has used since its start, its own and the kernel's for it. */
export const cpuMsOf = (pid: number): number => {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before the last bracket may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
};
