import { randomBytes } from "node:crypto";
import pg from "pg";
import { type Database, type DatabaseOptions, openDatabase } from "../../server/src/platform/db.ts";
import { startMigratedPostgres } from "./migrated-postgres.ts";
import type { PostgresServer } from "./postgres.ts";
import { timed } from "./set-up-times.ts";

export interface TestDatabase extends Database {
  readonly url: string;
  readonly options: Omit<DatabaseOptions, "url">;
  drop(): Promise<void>;
}

let server: Promise<PostgresServer> | undefined;

/**
 * The migrated database on this worker's own server, which starts on first use and ends with the worker. Not one
 * for all: there a transaction of one file would hold back the events that another waits for.
 */
export const templateUrl = async (): Promise<string> => {
  server ??= startMigratedPostgres();
  return (await server).url;
};

/** A separate database for a test file: a copy of the migrated template. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const template = await templateUrl();
  const name = `t_${randomBytes(6).toString("hex")}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: template.replace(/\/postgres$/, "/template1") });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  // By file copy, which skips the write-ahead log.
  await timed("database", () => admin(`create database ${name} template postgres strategy file_copy`));
  const url = template.replace(/\/postgres$/, `/${name}`);
  const options = {
    poolSize: 10,
    statementTimeoutMs: 120_000,
    acquireTimeoutMs: 10_000,
    applicationName: "portage test",
    onConnectionLost: () => {},
  };
  const database = openDatabase({ ...options, url });
  return {
    ...database,
    url,
    options,
    drop: async () => {
      await database.close();
      await admin(`drop database ${name} with (force)`);
    },
  };
};
