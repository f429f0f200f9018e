import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The variables that say where the key ring is; an installation sets one of them. */
const keySourceNames = ["PORTAGE_KEYS", "PORTAGE_KEYS_FILE", "PORTAGE_KEYS_COMMAND"] as const;

export type KeySource =
  | {
      readonly kind: "read";
      /** The environment with the ring itself in PORTAGE_KEYS, so that nothing reads its source a second time. */
      readonly env: NodeJS.ProcessEnv;
      /** For the operator, without anything secret. */
      readonly from: string;
    }
  | { readonly kind: "unset" }
  /** The message never has any of the file's or the command's output. */
  | { readonly kind: "problem"; readonly message: string };

/** A key service answers within a second; this only ends a start that would hang. */
const defaultTimeoutMs = 10_000;
const longestOutput = 64 * 1024;

/** One key per line is the same as keys separated by commas. */
const toRing = (text: string) => text.trim().replaceAll(/\s*\n\s*/g, ",");

/** Thrown by the two readers below; the caller adds the variable's name. */
class Unreadable extends Error {}

const readKeyFile = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Unreadable(`can't be read: ${(error as NodeJS.ErrnoException).code}`);
  }
};

/** Runs the program without a shell. Its standard error is dropped too: it might name a secret. */
const runKeyCommand = (command: string, env: NodeJS.ProcessEnv, timeoutMs: number): string => {
  const [program = "", ...words] = command.trim().split(/\s+/);
  const { error, status, signal, stdout } = spawnSync(program, words, {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: longestOutput,
  });
  const code = (error as { readonly code?: string } | undefined)?.code;
  if (code === "ETIMEDOUT") throw new Unreadable(`did not end within ${timeoutMs / 1_000} s`);
  if (code === "ENOBUFS") throw new Unreadable("printed more than a key ring");
  if (code !== undefined) throw new Unreadable(`can't be started: ${code}`);
  if (status !== 0) throw new Unreadable(`failed: ${signal ?? `exit code ${status}`}`);
  return stdout;
};

/** Reads the key ring from the one variable that is set. Call it once per process: a command may cost money or time. */
export const readKeySource = (env: NodeJS.ProcessEnv, timeoutMs: number = defaultTimeoutMs): KeySource => {
  const set = keySourceNames.filter((name) => env[name] !== undefined && env[name] !== "");
  const [name, second] = set;
  if (name === undefined) return { kind: "unset" };
  if (second !== undefined)
    return {
      kind: "problem",
      message: `${set.join(" and ")} are set: set one of them, so that it is clear which keys count`,
    };
  const value = env[name] ?? "";
  const inPlace = (text: string, from: string): KeySource => ({
    kind: "read",
    env: { ...env, PORTAGE_KEYS_FILE: "", PORTAGE_KEYS_COMMAND: "", PORTAGE_KEYS: toRing(text) },
    from,
  });
  try {
    switch (name) {
      case "PORTAGE_KEYS":
        return { kind: "read", env, from: name };
      case "PORTAGE_KEYS_FILE":
        return inPlace(readKeyFile(value), `the file ${value}`);
      case "PORTAGE_KEYS_COMMAND":
        return inPlace(
          runKeyCommand(value, env, timeoutMs),
          `the command ${value.trim().split(/\s+/, 1)[0] ?? ""}`,
        );
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { kind: "problem", message: `${name} ${error.message}` };
  }
};
