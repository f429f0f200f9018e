import { isDatabaseUnavailable } from "../../platform/db.ts";
import { MigrationError } from "../../platform/migrate.ts";
import { SealError } from "../../platform/seal.ts";
import { ConfigError } from "../config.ts";
import { CommandError } from "./command-error.ts";

/** The database's address without the password that DATABASE_URL may hold. */
export const databaseAddress = (url: string | undefined): string => {
  const parsed = url ? URL.parse(url) : null;
  if (!parsed) return "the address in DATABASE_URL";
  const host = parsed.searchParams.get("host") ?? (parsed.hostname || "localhost");
  return `${host}:${parsed.port || "5432"}${parsed.pathname}`;
};

const reason = (error: Error): string => {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first.message : error.message;
};

/** PostgreSQL error codes that the operator can fix. */
const databaseFixes: Readonly<Record<string, string>> = {
  "28P01": "Correct the user or the password in DATABASE_URL.",
  "28000": "Correct the user in DATABASE_URL, or let it in with pg_hba.conf.",
  "3D000": "Create the database (createdb), then run: portage migrate",
  "42501": "Grant the user of DATABASE_URL the rights on this database; it should own it.",
};

/** Turns an expected error into a message with a fix. Undefined: an unexpected error. */
export const explainError = (error: unknown, env: NodeJS.ProcessEnv): CommandError | undefined => {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) return new CommandError(error.code, error.message);
  if (error instanceof MigrationError || error instanceof SealError)
    return new CommandError(error.code, error.message);
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  const where = databaseAddress(env["DATABASE_URL"]);
  const fix = typeof code === "string" ? databaseFixes[code] : undefined;
  if (fix) return new CommandError("database_refused", `PostgreSQL at ${where}: ${error.message}.`, { fix });
  if (isDatabaseUnavailable(error))
    return new CommandError(
      "database_unreachable",
      `PostgreSQL can't be reached at ${where}: ${reason(error)}.`,
      { fix: "Start it, or correct DATABASE_URL. To check the installation, run: portage doctor" },
    );
  return undefined;
};
