// Records the CPU time of each test file with all processes that it starts, if the caller wants figures (TEST_REPORTS
// is a folder). On a busy machine this says what a file costs; its duration says more about its neighbours.
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";

const ticksPerSecond = 100;

/** Ticks of this process, of its ended children, and of all that run below it now. */
const ticksSoFar = (): number => {
  const below = new Map<number, { pid: number; ticks: number }[]>();
  let own = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${name}/stat`, "utf8");
    } catch {
      continue; // ended meanwhile
    }
    // the command's name, in brackets, may hold spaces
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const parent = Number(fields[1]);
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    const pid = Number(name);
    if (pid === process.pid) own = ticks;
    below.set(parent, [...(below.get(parent) ?? []), { pid, ticks }]);
  }
  const total = (pid: number): number =>
    (below.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + total(child.pid), 0);
  return own + total(process.pid);
};

const folder = process.env["TEST_REPORTS"];
if (folder !== undefined && process.platform === "linux") {
  const before = ticksSoFar();
  // hooks run in reverse order, so this one runs after all of the file's own
  afterAll(() => {
    const file = expect.getState().testPath;
    const seconds = (ticksSoFar() - before) / ticksPerSecond;
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `cpu-${process.pid}.jsonl`), `${JSON.stringify({ file, seconds })}\n`);
  });
}
