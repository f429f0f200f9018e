import { createDatabaseIfMissing } from "../src/platform/create-database.ts";
import { type Database, openDatabase } from "../src/platform/db.ts";
import { migrate, readMigrations } from "../src/platform/migrate.ts";

export interface MigratedDatabase {
  readonly created: boolean;
  readonly migrations: number;
  readonly db: Database;
}

/** Creates the database of a URL if it is missing, migrates it, and opens it. */
export const openMigratedDatabase = async (
  url: string,
  applicationName: string,
): Promise<MigratedDatabase> => {
  const { created } = await createDatabaseIfMissing(url);
  const { applied } = await migrate(url, await readMigrations());
  const db = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 10_000,
    acquireTimeoutMs: 5_000,
    applicationName,
    onConnectionLost: () => {}, // the next query fails with the same error and reports it
  });
  return { created, migrations: applied.length, db };
};
