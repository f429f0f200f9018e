import { randomBytes } from "node:crypto";
import { createProgram, type Ran } from "./program.ts";

export interface Cli {
  readonly env: Readonly<Record<string, string>>;
  /** Runs `portage` with these words, as an operator's shell does. */
  run(...words: readonly string[]): Promise<Ran>;
  /** The same with --json; throws when it fails or prints anything but one JSON value. */
  json<T>(...words: readonly string[]): Promise<T>;
  /** The same command line elsewhere: other variables, "" for one that is not set. */
  with(env: Readonly<Record<string, string>>): Cli;
}

/**
 * The command line, with an environment that holds nothing else. It runs in the test's own process: tests run hundreds of
 * commands, and a process takes a second to start. What only a process shows (pipes, exit codes, signals) has tests that
 * start one.
 */
export const createCli = (given: Readonly<Record<string, string>>): Cli => {
  const env = {
    PATH: process.env["PATH"] ?? "",
    PORTAGE_KEYS: `test:${randomBytes(32).toString("base64")}`,
    PUBLIC_URL: "http://127.0.0.1:3999",
    ...given,
  };
  const { run, json } = createProgram(() => env);
  return { env, run, json, with: (other) => createCli({ ...env, ...other }) };
};
