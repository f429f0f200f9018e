import { randomBytes } from "node:crypto";
import { createProgram, type Ran } from "./program.ts";

export interface Cli {
  readonly env: Readonly<Record<string, string>>;
  /** Runs `portage` with these arguments, as an operator's shell does. */
  run(...words: readonly string[]): Promise<Ran>;
  /** The same with --json; throws if it fails or prints anything but one JSON value. */
  json<T>(...words: readonly string[]): Promise<T>;
  /** The same command line with other environment variables; "" unsets one. */
  with(env: Readonly<Record<string, string>>): Cli;
}

/**
 * The command line, with an otherwise empty environment. It runs in the test's process: tests run hundreds of
 * commands, and a process takes a second to start. Separate tests start a process for what only a process shows
 * (pipes, exit codes, signals).
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
