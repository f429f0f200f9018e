import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "../../server/src/platform/db.ts";

export interface TestDatabase extends Database {
  readonly url: string;
  readonly options: Omit<DatabaseOptions, "url">;
  drop(): Promise<void>;
}

/** The migrated database on this worker's server. */
export const templateUrl = (): string => {
  const worker = Number(process.env.VITEST_POOL_ID);
  const url = inject("templateUrls")[worker - 1];
  if (url === undefined) throw new Error(`No database server was started for worker ${worker}.`);
  return url;
};

/** A database of its own for a test file: a copy of the migrated template. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const template = templateUrl();
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
  await admin(`create database ${name} template postgres`);
  const url = template.replace(/\/postgres$/, `/${name}`);
  const options = {
    poolSize: 10,
    statementTimeoutMs: 10_000,
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
