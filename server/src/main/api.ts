import closeWithGrace from "close-with-grace";
import { setTimeout as sleep } from "node:timers/promises";
import { createToolCheck } from "../features/connections/index.ts";
import { watchSwitchedOff } from "../features/tools/index.ts";
import { createOutbound } from "../platform/outbound/index.ts";
import { openDatabase } from "../platform/db.ts";
import { createLog } from "../platform/log.ts";
import { databaseVersion, readMigrations } from "../platform/migrate.ts";
import { createSealer } from "../platform/seal.ts";
import { readConfig } from "./config.ts";
import { createApi } from "./create-api.ts";
import { reportAndExit } from "./report-and-exit.ts";
import { createTools } from "./tools.ts";

const start = async () => {
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  const db = openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    // With the statement's own limit under 5 s: nobody waits longer for a database that is silent.
    acquireTimeoutMs: 1_500,
    applicationName: "portage api",
    onConnectionLost: (error) => log.warn({ err: error }, "database connection lost"),
  });
  const needed = (await readMigrations()).length;
  const version = await databaseVersion(db.pool);
  // A newer one is fine: migrations only add until every process is new.
  if (version < needed)
    throw new Error(
      `The database is at version ${version}, this release needs ${needed}: run "portage migrate" first.`,
    );
  const switchedOff = await watchSwitchedOff(db, (error) =>
    log.warn({ err: error }, "tool settings not read"),
  );
  const registry = await createTools(config.PORTAGE_CONNECTORS, switchedOff.has);
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW });
  const api = createApi({
    db,
    sealer: createSealer(config.PORTAGE_KEYS),
    registry,
    toolChecks: new Map(
      registry.all("destination").map((tool) => [tool.manifest.name, createToolCheck(tool, outbound)]),
    ),
    log,
    publicUrl: config.PUBLIC_URL,
    signInFailuresPerMinute: config.SIGN_IN_FAILURES_PER_MINUTE,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  closeWithGrace(
    { delay: config.SHUTDOWN_DELAY_MS + config.REQUEST_TIMEOUT_MS, logger: false },
    async ({ err, signal }) => {
      if (err) log.error({ err }, "stopping after an error");
      log.info({ signal }, "draining");
      // First the load balancer and the clients learn of it, then the door closes: nobody finds it shut by surprise.
      api.drain();
      if (!err) await sleep(config.SHUTDOWN_DELAY_MS);
      await api.app.close();
      switchedOff.stop();
      await outbound.close();
      await db.close();
      log.info("stopped");
    },
  );
  await api.app.listen({ host: config.HOST, port: config.PORT });
  log.info({ address: api.app.listeningOrigin, public_url: config.PUBLIC_URL }, "listening");
};

await start().catch(reportAndExit);
