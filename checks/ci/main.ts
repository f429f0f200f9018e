// The steps of `.ci/run` on a prepared machine: static checks, then all tests and, beside them, the proofs at a small size. It
// judges correctness only. A failed step runs a second time: if it passes, CI lists it as flaky, with its seed; if it
// fails again, CI fails. `node checks/ci/main.ts REPORTS` writes its figures to that folder.
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { failedFiles, type JudgedTests, judgeTests, mergeTests, verdictOf } from "./judge-tests.ts";
import { runCommand } from "./run-command.ts";
import { ownTests, type ProofStep, proofSteps, realTests, type TestStep } from "./steps.ts";
import { type CpuTime, type SetUpTime, type StepOutcome, summarize } from "./summary.ts";
import type { TestFileResult, TestReport } from "./test-report.ts";

const root = join(import.meta.dirname, "../..");
process.chdir(root);
// Also for the small proofs, which judge correctness only: they start many processes, and this saves a quarter of their CPU time.
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules/.cache/compiled");
const [reports = "artifacts/ci"] = process.argv.slice(2);
mkdirSync(reports, { recursive: true });
process.once("SIGTERM", () => process.exit(143));
process.once("SIGINT", () => process.exit(130));

const startedAt = performance.now() - Number(process.env["CI_SECONDS_BEFORE"] ?? 0) * 1_000;
const secondsNow = () => Math.round((performance.now() - startedAt) / 1_000);
/**
 * CI is cut off, without a word of what went wrong, 90 minutes after its start: whatever still runs by then is stopped
 * before, and named as failed.
 */
const lastSecond = 5_200;
const within = (limitSeconds: number) => Math.max(20, Math.min(limitSeconds, lastSecond - secondsNow()));
const isOver = () => secondsNow() >= lastSecond;
const print = (line: string) => void process.stdout.write(`${line}\n`);

const announce = (step: StepOutcome) => {
  print(`--- ${step.name}: ${step.verdict} in ${step.seconds} s (${secondsNow()} s since the start)`);
  return step;
};

const checkStatically = async (): Promise<StepOutcome> => {
  print("--- static checks: about a minute");
  const { passed, ended, lines, seconds } = await runCommand(
    { name: "check", command: ["node", "checks/check.ts", "--static"], limitSeconds: within(900) },
    print,
  );
  const verdict = passed ? "passed" : "failed";
  return announce({ name: "static checks", seconds, ended, verdict, lines, seed: null });
};

const seedIn = (lines: readonly string[]): string | null => {
  try {
    const { seed } = JSON.parse(lines.at(-1) ?? "") as { seed?: string | number };
    return seed === undefined ? null : `${seed}`;
  } catch {
    return null;
  }
};

const runProof = async ({ name, script, args, limitSeconds }: ProofStep): Promise<StepOutcome> => {
  if (isOver())
    return announce({ name, seconds: 0, ended: "no time left", verdict: "failed", lines: [], seed: null });
  print(`--- ${name}`);
  const run = (more: readonly string[]) =>
    runCommand(
      {
        name,
        command: ["npm", "run", "--silent", script, "--", ...args, ...more],
        limitSeconds: within(limitSeconds),
      },
      print,
    );
  const first = await run([]);
  const seed = seedIn(first.lines);
  const common = { name, ended: first.ended, lines: first.lines, seed };
  if (first.passed || isOver())
    return announce({ ...common, seconds: first.seconds, verdict: first.passed ? "passed" : "failed" });
  print(`--- ${name}: FAILED (${first.ended}), once more${seed === null ? "" : ` with seed ${seed}`}`);
  const second = await run(seed === null ? [] : ["--seed", seed]);
  const seconds = first.seconds + second.seconds;
  return announce({ ...common, seconds, verdict: second.passed ? "flaky" : "failed" });
};

const vitest = async ({ name, projects, workers, limitSeconds }: TestStep, files: readonly string[]) => {
  const folder = join(reports, files.length === 0 ? name : `${name}, again`);
  const chosen = projects.flatMap((project) => ["--project", project]);
  const result = await runCommand(
    {
      name,
      command: ["npx", "vitest", "run", `--maxWorkers=${workers}`, ...chosen, ...files],
      limitSeconds: within(limitSeconds),
      env: { TEST_REPORTS: folder },
    },
    print,
  );
  const [file] = globSync(join(folder, "tests-*.json"));
  return {
    result,
    report: file === undefined ? null : (JSON.parse(readFileSync(file, "utf8")) as TestReport),
  };
};

interface TestsOutcome {
  readonly step: StepOutcome;
  readonly judged: JudgedTests | null;
  readonly files: readonly TestFileResult[];
}

const runTests = async (of: TestStep): Promise<TestsOutcome> => {
  const { name } = of;
  print(`--- ${name}`);
  const first = await vitest(of, []);
  let { seconds } = first.result;
  const step = { name, ended: first.result.ended, lines: first.result.lines, seed: null };
  if (!first.report)
    return { step: announce({ ...step, seconds, verdict: "failed" }), judged: null, files: [] };
  const failed = failedFiles(first.report);
  let second: TestReport | null = null;
  let last = first.result;
  if (failed.length > 0 && !isOver()) {
    print(
      `--- ${name}: ${failed.length} files failed, once more: ${failed.map(({ file }) => file).join(" ")}`,
    );
    const again = await vitest(of, [...new Set(failed.map(({ file }) => file))]);
    seconds += again.result.seconds;
    second = again.report;
    last = again.result;
  }
  const judged = judgeTests(first.report, second);
  const verdict = verdictOf(judged, last.passed);
  // Each failed file names its tests and errors; without a failed file only the runner's output explains the failure.
  const lines = verdict === "failed" && judged.broken.length === 0 ? last.lines : [];
  return {
    step: announce({ ...step, ended: last.ended, seconds, verdict, lines }),
    judged,
    files: first.report.files,
  };
};

/** The lines that the processes of all tests have left, each in a file of its own. */
const linesOf = (pattern: string): readonly unknown[] =>
  globSync(join(reports, pattern)).flatMap((file) =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  );

/** Of ended processes that were waited for: all but what a killed server has left behind. */
const cpuSeconds = (): number => {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
};

/** One after the other while tests run; two at a time from `testsEnded` on, because each mostly waits for servers. */
const runProofs = async (testsEnded: Promise<unknown>): Promise<readonly StepOutcome[]> => {
  const waiting = [...proofSteps];
  const runNext = async (): Promise<readonly StepOutcome[]> => {
    const step = waiting.shift();
    return step ? [await runProof(step), ...(await runNext())] : [];
  };
  return (await Promise.all([runNext(), testsEnded.then(runNext)])).flat();
};

print("All of it takes 25 to 50 minutes on two cores, as busy as the machine is.");
const checked = await checkStatically();
const realRun = runTests(realTests);
const ownRun = runTests(ownTests);
// Each of the three waits for servers at times; side by side they leave no core idle.
const [real, own, proofs] = await Promise.all([realRun, ownRun, runProofs(Promise.race([realRun, ownRun]))]);
const { lines, passed } = summarize({
  steps: [checked, real.step, own.step, ...proofs],
  tests: mergeTests([real.judged, own.judged]),
  files: [...real.files, ...own.files],
  setUps: linesOf("**/set-up-*.jsonl") as readonly SetUpTime[],
  cpu: (linesOf("**/cpu-*.jsonl") as readonly CpuTime[]).map(({ file, seconds }) => ({
    file: relative(root, file),
    seconds,
  })),
  cpuSeconds: cpuSeconds(),
  retried: (process.env["CI_RETRIED"] ?? "").trim(),
  seconds: secondsNow(),
});
for (const line of lines) print(line);
process.exitCode = passed ? 0 : 1;
