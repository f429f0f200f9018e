/** Prints the message without a stack: the operator reads it in a terminal or in the last line of a container's log. */
export const reportAndExit = (error: unknown): void => {
  const message = error instanceof Error ? error.message || String(error) : String(error);
  const code = (error as { code?: string } | null)?.code;
  const hint = code === "ECONNREFUSED" ? "\nIs PostgreSQL running at DATABASE_URL?" : "";
  process.stderr.write(`${message}${hint}\n`);
  process.exitCode = 1;
  // Open handles must not keep a failed start alive.
  setImmediate(() => process.exit(1));
};
