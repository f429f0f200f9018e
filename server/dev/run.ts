import { mkdirSync } from "node:fs";
import { explainError } from "../src/main/commands/explain-error.ts";
import { type Children, createChildren, refuseSecondRun } from "./children.ts";

const untilSignal = () =>
  new Promise<void>((resolve) => {
    // on, not once: npm forwards the Ctrl-C that this process already got from the terminal.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });

const explain = (error: unknown, databaseUrl: string): string => {
  const explained = explainError(error, { DATABASE_URL: databaseUrl });
  if (!explained) return error instanceof Error ? error.message : String(error);
  const fix =
    explained.code === "database_unreachable"
      ? "Start PostgreSQL (on Debian: apt-get install postgresql), or set DATABASE_URL to its address."
      : explained.fix;
  return [explained.message, fix].filter(Boolean).join("\n");
};

interface Run {
  /** As the person typed it. */
  readonly command: string;
  readonly folder: string;
  readonly databaseUrl: string;
  /** Starts everything; the run ends when this does, or with a signal. */
  start(children: Children): Promise<void>;
}

/** Runs several processes in one terminal until Ctrl-C, and leaves none behind. */
export const runUntilStopped = async ({ command, folder, databaseUrl, start }: Run): Promise<never> => {
  const signalled = untilSignal();
  let children: Children | undefined;
  try {
    refuseSecondRun(folder, command);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const started = createChildren(folder);
    children = started;
    await Promise.race([start(started), started.ended, signalled]);
  } catch (error) {
    console.error(explain(error, databaseUrl));
    process.exitCode = 1;
  } finally {
    await children?.stop();
  }
  return process.exit();
};
