import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

const cliFile = join(import.meta.dirname, "../../server/src/main/cli.ts");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli {
  readonly env: Readonly<Record<string, string>>;
  /** Runs `portage` with these words, as an operator's shell does. */
  run(...words: readonly string[]): Promise<Ran>;
  /** The same with --json; throws when it fails or prints anything but one JSON value. */
  json<T>(...words: readonly string[]): Promise<T>;
  /** The same command line elsewhere: other variables, "" for one that is not set. */
  with(env: Readonly<Record<string, string>>): Cli;
}

/** The real command line, in a process of its own, with an environment that holds nothing else. */
export const createCli = (given: Readonly<Record<string, string>>): Cli => {
  const env = {
    PATH: process.env["PATH"] ?? "",
    // a process starts in half the time, and tests start hundreds
    NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/portage-cli"),
    PORTAGE_KEYS: `test:${randomBytes(32).toString("base64")}`,
    PUBLIC_URL: "http://127.0.0.1:3999",
    ...given,
  };
  const run = (...words: readonly string[]) =>
    new Promise<Ran>((resolve) => {
      execFile(process.execPath, [cliFile, ...words], { env }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  return {
    env,
    run,
    json: async <T>(...words: readonly string[]) => {
      const { code, stdout, stderr } = await run(...words, "--json");
      if (code !== 0) throw new Error(`portage ${words.join(" ")} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    with: (other) => createCli({ ...env, ...other }),
  };
};
