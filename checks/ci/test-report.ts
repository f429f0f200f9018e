import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export interface TestFailure {
  readonly test: string;
  readonly message: string;
}

export interface TestFileResult {
  readonly project: string;
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly TestFailure[];
  /** Time to import the file and to run its hooks and tests. */
  readonly importMs: number;
  readonly runMs: number;
}

/** The result of one run of vitest. */
export interface TestReport {
  readonly files: readonly TestFileResult[];
  /** Errors that no test caught. */
  readonly unhandled: readonly { readonly file: string | null; readonly message: string }[];
}

const messageOf = (errors: readonly { readonly message: string; readonly stack?: string | undefined }[]) =>
  errors.map(({ message, stack }) => stack ?? message).join("\n");

const resultOf = (module: TestModule, root: string): TestFileResult => {
  const tests = [...module.children.allTests()];
  const failed = tests.filter((test) => test.result().state === "failed");
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().length === 0 ? [] : [{ test: suite.fullName, message: messageOf(suite.errors()) }],
  );
  const own = module.errors();
  const { collectDuration, duration } = module.diagnostic();
  return {
    project: module.project.name,
    file: relative(root, module.moduleId),
    passed: tests.filter((test) => test.result().state === "passed").length,
    failures: [
      ...failed.map((test) => ({ test: test.fullName, message: messageOf(test.result().errors ?? []) })),
      ...suites,
      ...(own.length === 0 ? [] : [{ test: "the file itself", message: messageOf(own) }]),
    ],
    importMs: Math.round(collectDuration),
    runMs: Math.round(duration),
  };
};

const unhandledOf = (error: SerializedError, root: string) => {
  const path = error["VITEST_TEST_PATH"] as string | undefined;
  return {
    file: path === undefined ? null : relative(root, path),
    message: error.stack ?? error.message,
  };
};

/** Writes the result of a vitest run to a JSON file in a folder, so that CI reads it after the run. */
export class TestReporter implements Reporter {
  readonly #folder: string;
  readonly #root: string;

  constructor(folder: string, root: string) {
    this.#folder = folder;
    this.#root = root;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: TestReport = {
      files: modules.map((module) => resultOf(module, this.#root)),
      unhandled: errors.map((error) => unhandledOf(error, this.#root)),
    };
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, `tests-${process.pid}.json`), JSON.stringify(report));
  }
}
