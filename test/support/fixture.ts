import { randomBytes } from "node:crypto";
import { createToolRegistry } from "../../server/src/features/tools/index.ts";
import { createImport } from "../../server/src/features/imports/index.ts";
import { findPartner } from "../../server/src/features/partners/index.ts";
import { redmine, requestTracker } from "../../connectors/index.ts";
import { type Database, openDatabase } from "../../server/src/platform/db.ts";
import { createSealer } from "../../server/src/platform/seal.ts";
import { type ApiProcess, type ApiProcessOptions, startApiProcess } from "./api-process.ts";
import { startMigratedPostgres } from "./migrated-postgres.ts";
import type { PostgresServer } from "./postgres.ts";
import type { Proof } from "./proof.ts";

export interface MadeImport {
  readonly id: string;
  readonly partnerId: string;
  readonly linkToken: string;
}

/** A separate database and API processes on it; removed when the proof ends. */
export interface Fixture {
  readonly postgres: PostgresServer;
  readonly db: Database;
  /** The environment that an API process needs for this database. */
  readonly env: Readonly<Record<string, string>>;
  startApi(options?: Partial<ApiProcessOptions>): Promise<ApiProcess>;
  /** Creates an import as the API does, without the API. */
  createImport(partnerId: string, body?: object): Promise<MadeImport>;
}

/** How PostgreSQL is set, and at which address everything reaches it. */
export interface FixtureDatabase {
  readonly settings: Readonly<Record<string, string>>;
  addressOf(serverUrl: string): Promise<string>;
}

const publicUrl = "http://portage.test";

export const createFixture = async (
  proof: Pick<Proof, "afterwards">,
  settings: FixtureDatabase["settings"] = {},
  addressOf: FixtureDatabase["addressOf"] = async (serverUrl) => serverUrl,
): Promise<Fixture> => {
  const postgres = await startMigratedPostgres(settings);
  proof.afterwards(() => postgres.remove());
  const url = await addressOf(postgres.url);
  const key = randomBytes(32);
  const db = openDatabase({
    url,
    poolSize: 10,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    applicationName: "portage proof",
    onConnectionLost: () => {},
  });
  proof.afterwards(() => db.close());
  const env = {
    DATABASE_URL: url,
    PORTAGE_KEYS: `k1:${key.toString("base64")}`,
    PUBLIC_URL: publicUrl,
    SHUTDOWN_DELAY_MS: "0",
  };
  const create = createImport({
    db,
    sealer: createSealer([{ id: "k1", key }]),
    registry: createToolRegistry([redmine, requestTracker]),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  return {
    postgres,
    db,
    env,
    startApi: async (options = {}) => {
      const api = await startApiProcess({ ...options, env: { ...env, ...options.env } });
      proof.afterwards(() => api.stop());
      return api;
    },
    createImport: async (partnerId, body = { source_tool: "redmine" }) => {
      const partner = await findPartner(db, partnerId);
      if (!partner) throw new Error(`No partner ${partnerId}.`);
      const made = await create(partner, body);
      if (made.kind === "invalid") throw new Error(JSON.stringify(made.errors));
      return { id: made.id, partnerId, linkToken: made.linkToken.reveal() };
    },
  };
};
