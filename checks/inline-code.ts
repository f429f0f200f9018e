import { globSync } from "node:fs";
import { type CommandLike, inlineCommandProblems } from "./shell-block.ts";

export interface InlineNeeds {
  readonly root: string;
  readonly scripts: readonly string[];
  /** If undefined, the check skips commands of `portage`. */
  readonly program: CommandLike | undefined;
  /** The names of all test files. */
  readonly tests: ReadonlySet<string>;
}

/** Examples of a name, such as `x.integration.test.ts`. */
const isExample = (file: string) => file.startsWith("x.");

const isThere = (root: string, path: string): boolean => globSync(path, { cwd: root }).length > 0;

/** What git ignores, such as `deploy/.env`, has none of these endings. */
const isSource = /^[\w.-]+(\/[\w.*{},-]+)+\.(ts|tsx|mjs|sql|sh|md|json|yaml)$/;

/** What is wrong with code inside a sentence: a command that does not exist, or a file of the repository that is gone. */
export const inlineProblems = (code: string, needs: InlineNeeds): readonly string[] => {
  const { root, tests } = needs;
  if (/^[\w-]+(\.\w+)*\.test\.ts$/.test(code))
    return isExample(code) || tests.has(code) ? [] : [`there is no test ${code}`];
  if (isSource.test(code)) {
    const [folder = ""] = code.split("/");
    return !isThere(root, folder) || isThere(root, code) ? [] : [`there is no file ${code}`];
  }
  return inlineCommandProblems(code, needs);
};

/** The names of all test files of the repository. */
export const testNames = (root: string): ReadonlySet<string> =>
  new Set(
    globSync("**/*.test.{ts,tsx}", { cwd: root, exclude: ["**/node_modules", ".git", ".*"] }).map(
      (file) => file.split("/").at(-1) ?? file,
    ),
  );
