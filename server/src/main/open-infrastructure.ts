import { hostname } from "node:os";
import { restoreEventOrderIfNeeded } from "../features/events/index.ts";
import { watchSwitchedOff } from "../features/tools/index.ts";
import { createUploads } from "../features/uploads/index.ts";
import { openDatabase } from "../platform/db.ts";
import { requireOwnSessions } from "../platform/own-sessions.ts";
import { createLog } from "../platform/log.ts";
import { databaseVersion, readMigrations } from "../platform/migrate.ts";
import { createOutbound } from "../platform/outbound/index.ts";
import { createSealer } from "../platform/seal.ts";
import { createBlobStores } from "./blob-stores.ts";
import type { Config } from "./config.ts";
import { startTracing } from "./start-tracing.ts";
import { createTools } from "./tools.ts";

interface Wanted {
  /** The name in pg_stat_activity. */
  readonly applicationName: string;
  /** Also there, after the name: operators see which release a process runs. */
  readonly release: string;
  readonly poolSize: number;
  /** The timeout for acquiring a connection. */
  readonly acquireTimeoutMs: number;
}

/** The infrastructure of the API and the workers: log, migrated database, tools and outbound HTTP. */
export const openInfrastructure = async (
  config: Config,
  { applicationName, release, poolSize, acquireTimeoutMs }: Wanted,
) => {
  const tracing = await startTracing(config, applicationName);
  const log = createLog(config.LOG_LEVEL, undefined, {
    service: applicationName,
    instance: `${hostname()}:${process.pid}`,
  });
  const db = openDatabase({
    url: config.DATABASE_URL,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    applicationName: `${applicationName} ${release}`,
    poolSize,
    acquireTimeoutMs,
    onConnectionLost: (error) => log.warn({ err: error }, "database connection lost"),
  });
  await requireOwnSessions(config.DATABASE_URL);
  const needed = (await readMigrations()).length;
  const version = await databaseVersion(db.pool);
  // A newer schema works: migrations only add until every process runs the new release.
  if (version < needed)
    throw new Error(
      `The database is at version ${version}, this release needs ${needed}: run "portage migrate" first.`,
    );
  const numbered = await restoreEventOrderIfNeeded(db);
  if (numbered > 0) log.warn({ events: numbered }, "events of another server are numbered again");
  const switchedOff = await watchSwitchedOff(db, (error) =>
    log.warn({ err: error }, "tool settings not read"),
  );
  const sealer = createSealer(config.PORTAGE_KEYS);
  const blobs = createBlobStores(db, config);
  const uploads = createUploads({ db, sealer, blobs });
  const registry = await createTools(config.PORTAGE_CONNECTORS, { isOff: switchedOff.has, files: uploads });
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW });
  return {
    log,
    db,
    registry,
    outbound,
    sealer,
    uploads,
    blobs,
    close: async () => {
      switchedOff.stop();
      await outbound.close();
      blobs.close();
      await db.close();
      await tracing.stop();
    },
  };
};
