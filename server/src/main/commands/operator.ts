import type { ToolRegistry } from "../../features/tools/index.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { databaseVersion, readMigrations } from "../../platform/migrate.ts";
import { createSealer, type Sealer } from "../../platform/seal.ts";
import { type Config, readPart } from "../config.ts";
import { CommandError } from "./command-error.ts";

/** The program's dependencies; it uses none of them until a command runs. */
export interface ProgramNeeds {
  readonly env: () => NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stdin: () => NodeJS.ReadableStream;
  readonly tools: (packages: readonly string[]) => Promise<ToolRegistry>;
  readonly fetch: typeof fetch;
}

/** The helpers of every command. */
export interface Operator {
  readonly needs: ProgramNeeds;
  config<K extends keyof Config>(...names: readonly K[]): Pick<Config, K>;
  sealer(): Sealer;
  /** Every tool, enabled or disabled. */
  tools(): Promise<ToolRegistry>;
  /** Opens the database, refuses one that is not migrated, and closes it afterwards. */
  withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Prints the result on stdout: one JSON value with --json, otherwise the text. */
  answer(json: object, text: () => string): void;
  /** Prints a remark on stderr, so that stdout holds only the result. */
  remark(text: string): void;
}

/** Long enough for the first retention run of a large database; the operator can press Ctrl-C. */
const statementTimeoutMs = 600_000;

export const createOperator = (needs: ProgramNeeds, wantsJson: () => boolean): Operator => {
  const config: Operator["config"] = (...names) => readPart(names, needs.env());
  return {
    needs,
    config,
    sealer: () => createSealer(config("PORTAGE_KEYS").PORTAGE_KEYS),
    tools: () => needs.tools(config("PORTAGE_CONNECTORS").PORTAGE_CONNECTORS),
    withDatabase: async (work) => {
      const db = openDatabase({
        url: config("DATABASE_URL").DATABASE_URL,
        poolSize: 2,
        statementTimeoutMs,
        acquireTimeoutMs: 5_000,
        applicationName: "portage cli",
        onConnectionLost: () => {}, // the next query fails with the same error and reports it
      });
      try {
        await refuseOldDatabase(db);
        return await work(db);
      } finally {
        await db.close();
      }
    },
    answer: (json, text) => needs.out(`${wantsJson() ? JSON.stringify(json, null, 2) : text()}\n`),
    remark: (text) => needs.err(`${text}\n`),
  };
};

const refuseOldDatabase = async (db: Database) => {
  const needed = (await readMigrations()).length;
  const version = await databaseVersion(db.pool);
  if (version < needed)
    throw new CommandError(
      "not_migrated",
      version === 0
        ? "The database has no tables yet."
        : `The database is at version ${version}, this release needs ${needed}.`,
      { fix: "Run: portage migrate" },
    );
};
