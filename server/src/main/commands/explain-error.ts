import { hostNames, hostUrls } from "../../platform/database-hosts.ts";
import { isDatabaseUnavailable } from "../../platform/db.ts";
import { MigrationError } from "../../platform/migrate.ts";
import { RuntimeRoleError } from "../../platform/runtime-role.ts";
import { SealError } from "../../platform/seal.ts";
import { ConfigError } from "../config.ts";
import { withSecretFiles } from "../secret-files.ts";
import { CommandError } from "./command-error.ts";

/** The database's address without the password that DATABASE_URL may hold. */
export const databaseAddress = (url: string | undefined): string => {
  const [first] = url ? hostUrls(url) : [];
  const parsed = first ? URL.parse(first) : null;
  if (!url || !parsed) return "the address in DATABASE_URL";
  return `${hostNames(url)}${parsed.pathname}`;
};

const reason = (error: Error): string => {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first.message : error.message;
};

const poolerFix =
  "Connect to PostgreSQL itself, or set pool_mode = session and ignore_startup_parameters = " +
  "statement_timeout,idle_in_transaction_session_timeout in PgBouncer.";

/** PostgreSQL error codes that the operator can fix. */
const databaseFixes: Readonly<Record<string, string>> = {
  sessions_pooled: poolerFix,
  standby: "Set DATABASE_URL to the primary, or to all hosts, separated by commas: the primary is found.",
  "25006": "Set DATABASE_URL to the primary: this server is a standby, or set to read only.",
  "28P01": "Correct the user or the password in DATABASE_URL.",
  "28000": "Correct the user in DATABASE_URL, or let it in with pg_hba.conf.",
  "3D000": "Create the database (createdb), then run: portage migrate",
  "42501":
    "To migrate, connect as the owner of the tables. To let the service's own role in, run portage migrate with PORTAGE_RUNTIME_ROLE.",
};

/** Turns an expected error into a message with a fix. Undefined: an unexpected error. */
export const explainError = (error: unknown, env: NodeJS.ProcessEnv): CommandError | undefined => {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) return new CommandError(error.code, error.message);
  if (error instanceof MigrationError || error instanceof RuntimeRoleError || error instanceof SealError)
    return new CommandError(error.code, error.message);
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  const where = databaseAddress(withSecretFiles(env, ["DATABASE_URL"]).given["DATABASE_URL"]);
  // PgBouncer takes only the settings that it knows.
  const isPooler = error.message.includes("unsupported startup parameter");
  const fix = isPooler ? poolerFix : typeof code === "string" ? databaseFixes[code] : undefined;
  if (fix)
    return new CommandError(
      "database_refused",
      `PostgreSQL at ${where}: ${error.message.replace(/\.$/, "")}.`,
      { fix },
    );
  if (isDatabaseUnavailable(error))
    return new CommandError(
      "database_unreachable",
      `PostgreSQL can't be reached at ${where}: ${reason(error)}.`,
      { fix: "Start it, or correct DATABASE_URL. To check the installation, run: portage doctor" },
    );
  return undefined;
};
