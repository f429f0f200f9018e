import type { JudgedTests, RepeatedFile } from "./judge-tests.ts";
import type { TestFileResult } from "./test-report.ts";

export interface StepOutcome {
  readonly name: string;
  readonly seconds: number;
  readonly ended: string;
  /** "flaky": failed at first, passed in the second run. */
  readonly verdict: "passed" | "flaky" | "failed";
  /** The output of the first failure. */
  readonly lines: readonly string[];
  readonly seed: string | null;
}

export interface SetUpTime {
  readonly what: string;
  readonly ms: number;
}

/** CPU time of a test file and of all processes that it started. */
export interface CpuTime {
  readonly file: string;
  readonly seconds: number;
}

export interface RunOutcome {
  readonly steps: readonly StepOutcome[];
  readonly tests: JudgedTests;
  readonly files: readonly TestFileResult[];
  readonly setUps: readonly SetUpTime[];
  readonly cpu: readonly CpuTime[];
  /** CPU time of all ended processes of this run. */
  readonly cpuSeconds: number;
  /** Steps of the machine's preparation that needed a second try. */
  readonly retried: string;
  readonly seconds: number;
}

const maxLines = 190;
const width = 300;
const cut = (lines: readonly string[], most: number) =>
  lines.slice(-most).map((line) => line.slice(0, width));
const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);

const fileLines = (heading: string, { project, file, first }: RepeatedFile, most: number): string[] => {
  const [shown, ...others] = first;
  return [
    `${heading}: |${project}| ${file}: ${shown?.test ?? ""}${others.length > 0 ? ` (and ${others.length} more)` : ""}`,
    ...(shown?.message ?? "")
      .split("\n")
      .slice(0, most)
      .map((line) => `    ${line.slice(0, width)}`),
  ];
};

/** Where the time went: steps, the slowest files, and the set-ups by name. */
const timeLines = ({ steps, files, setUps, cpu }: RunOutcome): string[] => {
  const slowest = files.toSorted((a, b) => b.runMs + b.importMs - a.runMs - a.importMs).slice(0, 20);
  const byPart = Map.groupBy(setUps, ({ what }) => what);
  const parts = [...byPart].map(([what, all]) => ({
    what,
    count: all.length,
    ms: all.reduce((sum, { ms }) => sum + ms, 0),
  }));
  return [
    "=== steps, in seconds",
    ...steps.map(
      ({ name, seconds, verdict, ended }) => `${String(seconds).padStart(6)}  ${name}: ${verdict} (${ended})`,
    ),
    "=== the slowest test files, in seconds",
    ...slowest.map(
      ({ project, file, runMs, importMs }) =>
        `${inSeconds(runMs + importMs).padStart(6)}  |${project}| ${file}`,
    ),
    "=== the test files that cost most, in seconds of CPU time",
    ...cpu
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, 20)
      .map(({ file, seconds: used }) => `${used.toFixed(1).padStart(6)}  ${file}`),
    "=== set-ups, in seconds of all files together",
    ...parts
      .toSorted((a, b) => b.ms - a.ms)
      .map(({ what, count, ms }) => `${inSeconds(ms).padStart(6)}  ${what}, ${count} times`),
  ];
};

/**
 * The end of a long log, which is the part that CI keeps: at most 200 lines with the times, the failures,
 * and how many passed and failed.
 */
export const summarize = (
  run: RunOutcome,
): { readonly lines: readonly string[]; readonly passed: boolean } => {
  const { steps, tests, seconds } = run;
  const failedSteps = steps.filter(({ verdict }) => verdict === "failed");
  const wrong = [
    ...tests.broken.flatMap((file) => fileLines("FAILED TWICE", file, 12)),
    ...failedSteps.flatMap(({ name, ended, seed, lines }) => [
      `FAILED: ${name}: ${ended}${seed === null ? "" : `, seed ${seed}`}; the end of what it printed:`,
      ...cut(lines, 25).map((line) => `    ${line}`),
    ]),
  ];
  const flaky = [
    ...(run.retried === "" ? [] : [`FLAKY, passed at the second try: ${run.retried}`]),
    ...tests.flaky.flatMap((file) => fileLines("FLAKY, passed when it ran again", file, 8)),
    ...steps
      .filter(({ verdict }) => verdict === "flaky")
      .flatMap(({ name, ended, seed, lines }) => [
        `FLAKY, passed when it ran again: ${name}: ${ended}${seed === null ? "" : `, seed ${seed}`}`,
        ...cut(lines, 12).map((line) => `    ${line}`),
      ]),
  ];
  const noTest = tests.passed + tests.failed === 0;
  const good = steps.length - failedSteps.length + tests.passed;
  const bad = failedSteps.length + tests.failed + (noTest ? 1 : 0);
  const end = [
    ...(noTest ? ["FAILED: no test ran"] : []),
    `${tests.files} test files, ${tests.flaky.length + steps.filter(({ verdict }) => verdict === "flaky").length} flaky`,
    `all of it took ${seconds} s, and ${Math.round(run.cpuSeconds)} s of CPU time`,
    `${good} passed, ${bad} failed`,
  ];
  const room = maxLines - end.length;
  const said = [...timeLines(run), ...flaky].slice(0, Math.max(0, room - Math.min(wrong.length, room)));
  return { lines: [...said, ...wrong.slice(0, room), ...end], passed: bad === 0 };
};
