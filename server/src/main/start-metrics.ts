import serverPackage from "../../package.json" with { type: "json" };
import { startQueueMetricsLoop } from "../background/queue-metrics-loop.ts";
import { createElection } from "../platform/election.ts";
import { type Database, openDatabase } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createMetrics, type Metrics, noMetrics } from "../platform/metrics/index.ts";
import type { Config } from "./config.ts";
import { keyUse } from "./keys/sealed-columns.ts";
import { startMetricsServer } from "./metrics-server.ts";

interface Needs {
  readonly service: "api" | "worker";
  readonly db: Database;
  readonly log: Log;
}

/** Counting sealed values reads whole tables. */
const longestQueryMs = 60_000;

/** Creates the metrics of this process, serves them, and runs for the election of the process that reads those of queues. */
export const startMetrics = async (
  config: Config,
  { service, db, log }: Needs,
): Promise<{ readonly metrics: Metrics; stop(): Promise<void> }> => {
  if (config.METRICS_PORT === undefined) return { metrics: noMetrics, stop: async () => {} };
  const metrics = createMetrics();
  metrics.set("portage_build_info", [{ labels: { service, version: serverPackage.version }, value: 1 }]);
  metrics.read("portage_db_pool_size", () => db.pool.options.max ?? 0);
  metrics.read("portage_db_pool_in_use", () => db.pool.totalCount - db.pool.idleCount);
  metrics.read("portage_db_pool_waiting", () => db.pool.waitingCount);
  const server = await startMetricsServer(metrics, { host: config.METRICS_HOST, port: config.METRICS_PORT });
  // One connection holds the lock, one reads queues, one storage: a slow query of them must not delay customers.
  const own = openDatabase({
    url: config.DATABASE_URL,
    poolSize: 3,
    acquireTimeoutMs: 5_000,
    statementTimeoutMs: longestQueryMs,
    applicationName: "portage metrics",
    onConnectionLost: (error) => log.warn({ err: error }, "database connection lost"),
  });
  const election = createElection(own, {
    name: "portage queue metrics",
    silentMs: Math.max(longestQueryMs * 2, config.METRICS_INTERVAL_MS * 4),
  });
  const loop = startQueueMetricsLoop({
    db: own,
    log,
    metrics,
    election,
    everyMs: config.METRICS_INTERVAL_MS,
    leaseMs: config.RUN_LEASE_MS,
    sealedValues: async () => {
      const byKey = new Map<string, number>();
      for (const { key, values } of await keyUse(own)) byKey.set(key, (byKey.get(key) ?? 0) + values);
      return byKey;
    },
  });
  log.info({ port: server.port }, "metrics");
  return {
    metrics,
    stop: async () => {
      server.close();
      await loop.stop();
      election.resign();
      await own.close();
    },
  };
};
