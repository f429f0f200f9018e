/** A person reads this, in a terminal or in the last line of a container: say what is wrong, without a stack. */
export const reportAndExit = (error: unknown): void => {
  const message = error instanceof Error ? error.message || String(error) : String(error);
  const code = (error as { code?: string } | null)?.code;
  const hint = code === "ECONNREFUSED" ? "\nIs PostgreSQL running at DATABASE_URL?" : "";
  process.stderr.write(`${message}${hint}\n`);
  process.exitCode = 1;
  // Whatever is half open must not keep a failed start alive.
  setImmediate(() => process.exit(1));
};
