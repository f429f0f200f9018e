import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Proof } from "../support/proof.ts";

const counts = z.record(z.string(), z.number());
const result = z.object({
  holds: z.boolean(),
  seed: z.string(),
  seconds: z.number(),
  records: z.number(),
  kills: z.number(),
  /** Of processes that had ended by themselves. */
  restarts: z.number(),
  faults: z.number(),
  by_kind: counts,
  source_changes: z.number(),
  tool_faults: counts,
  lost: z.number(),
  doubled: z.number(),
});

export type RunResult = z.infer<typeof result>;

const addTo = (sum: Record<string, number>, more: Readonly<Record<string, number>>) => {
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

/** The figures of several runs as those of one. */
export const addUp = (runs: readonly RunResult[]) => {
  const sum = (of: (run: RunResult) => number) => runs.reduce((total, run) => total + of(run), 0);
  const seconds = sum((run) => run.seconds);
  return {
    runs: runs.map(({ seed, seconds: took, records, faults }) => ({ seed, seconds: took, records, faults })),
    records: sum((run) => run.records),
    faults: sum((run) => run.faults),
    kills: sum((run) => run.kills),
    restarts: sum((run) => run.restarts),
    by_kind: runs.reduce<Record<string, number>>((total, run) => addTo(total, run.by_kind), {}),
    source_changes: sum((run) => run.source_changes),
    tool_faults: runs.reduce<Record<string, number>>((total, run) => addTo(total, run.tool_faults), {}),
    lost: sum((run) => run.lost),
    doubled: sum((run) => run.doubled),
    records_per_hour: Math.round((sum((run) => run.records) / seconds) * 3_600),
    faults_per_hour: Math.round((sum((run) => run.faults) / seconds) * 3_600),
  };
};

/** The result in the last line of a run; null: it has none. */
export const resultIn = (line: string): RunResult | null => {
  try {
    return result.parse(JSON.parse(line));
  } catch {
    return null;
  }
};

export interface Plan {
  readonly runs: number;
  /** No further run begins after so many minutes. */
  readonly minutes: number;
  readonly seed: string;
  /** What each run gets besides its seed. */
  readonly args: readonly string[];
}

const goal = { records: 1_000_000, faults: 1_000 };
const longestSeconds = 3_600;

const play = async (program: string, args: readonly string[], proof: Proof) => {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  proof.afterwards(() => child.kill());
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    proof.say(line);
  }
  return resultIn(last);
};

/** Plays runs one after the other, each with a seed of its own, and adds their figures up. */
export const playRuns = async (program: string, { runs, minutes, seed, args }: Plan, proof: Proof) => {
  const played: RunResult[] = [];
  const endAt = performance.now() + minutes * 60_000;
  for (let number = 1; number <= runs && performance.now() < endAt; number += 1) {
    const own = `${seed}-${number}`;
    proof.say(`run ${number} of ${runs}`);
    const run = await play(program, [...args, "--seed", own], proof);
    proof.holds(`run ${number}, seed ${own}, holds`, run?.holds === true);
    if (!run) break;
    played.push(run);
    proof.meets(`run ${number} takes at most an hour`, run.seconds <= longestSeconds, run.seconds);
  }
  const figures = addUp(played);
  const { records, faults } = figures;
  const isReached = records >= goal.records && faults >= goal.faults;
  proof.say(
    `${goal.records} records and ${goal.faults} faults in all: ${records} and ${faults} in ${played.length} runs` +
      (isReached ? "" : ", NOT REACHED"),
  );
  return figures;
};
