import type { TestFailure, TestFileResult, TestReport } from "./test-report.ts";

/** A file that failed in the first run: why, and the result of the second run, alone. */
export interface RepeatedFile {
  readonly project: string;
  readonly file: string;
  readonly first: readonly TestFailure[];
  readonly second: readonly TestFailure[];
}

export interface JudgedTests {
  readonly passed: number;
  readonly failed: number;
  readonly files: number;
  /** Failed once, passed in the second run. */
  readonly flaky: readonly RepeatedFile[];
  /** Failed twice. */
  readonly broken: readonly RepeatedFile[];
}

const unhandledIn = ({ unhandled }: TestReport, file: string): readonly TestFailure[] =>
  unhandled
    .filter((error) => error.file === file)
    .map(({ message }) => ({ test: "an error that no test caught", message }));

const failuresOf = (report: TestReport, { file, failures }: TestFileResult): readonly TestFailure[] => [
  ...failures,
  ...unhandledIn(report, file),
];

/** Files to run again: those with a failed test, a load error or an uncaught error. */
export const failedFiles = (report: TestReport): readonly TestFileResult[] =>
  report.files.filter((file) => failuresOf(report, file).length > 0);

/** Errors without a known file: nothing can be rerun, so they fail the run. */
const strayErrors = (report: TestReport): readonly RepeatedFile[] =>
  report.unhandled
    .filter(({ file }) => file === null || !report.files.some((each) => each.file === file))
    .map(({ file, message }) => {
      const failure = { test: "an error that no test caught", message };
      return { project: "", file: file ?? "unknown file", first: [failure], second: [failure] };
    });

/** The combined verdict of two runs: the second run has the files that failed in the first. */
export const judgeTests = (first: TestReport, second: TestReport | null): JudgedTests => {
  const repeated = failedFiles(first).map((file) => {
    const again = second?.files.find((each) => each.file === file.file && each.project === file.project);
    const lost = { test: "the second run", message: "It did not get to this file." };
    return {
      project: file.project,
      file: file.file,
      first: failuresOf(first, file),
      second: second && again ? failuresOf(second, again) : [lost],
      passed: again?.passed ?? 0,
    };
  });
  const stray = [...strayErrors(first), ...(second ? strayErrors(second) : [])];
  const broken = [...repeated.filter(({ second: why }) => why.length > 0), ...stray];
  const isRepeated = new Set(repeated.map(({ project, file }) => `${project} ${file}`));
  const rest = first.files.filter(({ project, file }) => !isRepeated.has(`${project} ${file}`));
  return {
    passed: [...rest, ...repeated].reduce((sum, { passed }) => sum + passed, 0),
    failed: broken.reduce((sum, { second: why }) => sum + why.length, 0),
    files: first.files.length,
    flaky: repeated.filter(({ second: why }) => why.length === 0),
    broken,
  };
};

/** A runner that exits badly fails the run even if every test passed: it may have crashed before the last test. */
export const verdictOf = (
  { broken, flaky }: JudgedTests,
  lastRunEndedWell: boolean,
): "passed" | "flaky" | "failed" => {
  if (broken.length > 0 || !lastRunEndedWell) return "failed";
  return flaky.length > 0 ? "flaky" : "passed";
};

/** Adds up runs of different tests. A run without a report adds nothing: its step has failed already. */
export const mergeTests = (all: readonly (JudgedTests | null)[]): JudgedTests => {
  const known = all.filter((each) => each !== null);
  const sum = (of: (each: JudgedTests) => number) => known.reduce((total, each) => total + of(each), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    files: sum(({ files }) => files),
    flaky: known.flatMap(({ flaky }) => flaky),
    broken: known.flatMap(({ broken }) => broken),
  };
};
