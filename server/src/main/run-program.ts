import { CommanderError } from "commander";
import type { ProgramNeeds } from "./commands/operator.ts";
import { createProgram, processNeeds } from "./program.ts";

const report = async (error: unknown, needs: ProgramNeeds, wantsJson: boolean): Promise<number> => {
  // Loads the database's modules, as the command that failed did: help and version must not.
  const { explainError } = await import("./commands/explain-error.ts");
  const explained = explainError(error, needs.env());
  if (!explained) {
    // An unexpected error: the stack is the only help.
    needs.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
  const { code, message, fix, exitCode } = explained;
  needs.err(
    wantsJson
      ? `${JSON.stringify({ error: { code, message, fix } })}\n`
      : `${message}${fix === null ? "" : `\n${fix}`}\n`,
  );
  return exitCode;
};

/** Runs one command line and returns its exit code. */
export const runProgram = async (
  words: readonly string[],
  needs: ProgramNeeds = processNeeds,
): Promise<number> => {
  let exitCode = 0;
  const program = await createProgram({
    needs,
    words,
    fail: () => {
      exitCode = 1;
    },
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed the error already; only help and version end with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return report(error, needs, program.opts<{ json?: true }>().json === true);
  }
};
