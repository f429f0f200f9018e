import type { RunsPort } from "../engine/runs-port.ts";
import { createPollPayments, createSettle } from "../features/billing/index.ts";
import { measureProvider } from "../features/payment-providers/index.ts";
import { runScheduledStarts } from "../features/imports/index.ts";
import { createMailSender, createPartnerNotices, createSmtp } from "../features/mail/index.ts";
import { isRetentionDue, runDailyRetention } from "../features/retention/index.ts";
import type { SilenceNeeds } from "../features/runs/index.ts";
import { createSimulations } from "../features/simulator/index.ts";
import { labelFor, type ToolRegistry } from "../features/tools/index.ts";
import { deleteErased } from "../features/uploads/index.ts";
import { createProgressSender, createWebhooks, webhookTimes } from "../features/webhooks/index.ts";
import { type Database, openDatabase } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/index.ts";
import { createOutbound, type Outbound } from "../platform/outbound/index.ts";
import type { Sealer } from "../platform/seal.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { createWorker } from "./create-worker.ts";
import { createReadiness } from "./readiness.ts";
import { startCanaryMailbox } from "../background/canary-mailbox.ts";
import { readCanaryMailbox } from "./canaries.ts";
import { readMail } from "./mail.ts";
import { openInfrastructure } from "./open-infrastructure.ts";
import { createPayments } from "./payments.ts";
import { startMetrics } from "./start-metrics.ts";
import { drainAtEnd, longestDrainMs } from "./worker-processes.ts";

/** The dependencies of runs. */
export interface RunsParts {
  readonly db: Database;
  readonly registry: ToolRegistry;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly log: Log;
  /** The lease of a partition, and the deadline of a write. */
  readonly times: { readonly leaseMs: number; readonly writeMs: number };
  /** How many partitions of a stream the worker copies concurrently. */
  readonly partitions: number;
  /** The bytes of large answers that the worker receives at a time. */
  readonly largeAnswerBytes: number;
  readonly silence: SilenceNeeds;
  readonly metrics: Metrics;
}

export interface OpenRuns extends RunsPort {
  /** Releases what this process holds of shared quotas, which other processes could use only after a timeout. */
  close(): Promise<void>;
}

interface Needs {
  readonly createRuns: (parts: RunsParts) => OpenRuns;
  readonly release: string;
}

/** Besides chunks: one for the dispatcher, one for the run that it notifies meanwhile, one for webhooks. */
const ownConnections = 3;

const longestErasingMs = 600_000;

/** Uses its own connections: its statements take longer than the query timeout of customer requests allows. */
const createRetention =
  (config: Config, { db, log }: { readonly db: Database; readonly log: Log }) =>
  async (): Promise<boolean> => {
    if (!(await isRetentionDue(db))) return false;
    const own = openDatabase({
      url: config.DATABASE_URL,
      poolSize: 3,
      acquireTimeoutMs: 10_000,
      statementTimeoutMs: longestErasingMs,
      applicationName: "portage retention",
      onConnectionLost: (error) => log.warn({ err: error }, "database connection lost"),
    });
    try {
      return (await runDailyRetention(own)) !== undefined;
    } finally {
      await own.close();
    }
  };

/** The mails to customers, and those to partners. */
const createMails = (
  { server, from }: NonNullable<ReturnType<typeof readMail>>,
  { db, log, sealer, registry }: Pick<RunsParts, "db" | "log" | "sealer" | "registry">,
  publicUrl: string,
) => {
  const needs = { db, log, publicUrl, from, send: createSmtp(server) };
  const senders = [
    createMailSender({
      ...needs,
      sealer,
      labelOf: (tool, partnerName) => labelFor(registry, tool, partnerName),
    }),
    createPartnerNotices(needs),
  ];
  return async () => {
    const sent = await Promise.all(senders.map((sender) => sender.sendDue()));
    return sent.reduce((total, count) => total + count, 0);
  };
};

/** Addresses that a process can listen on but no client can call. */
const everywhere = new Set(["0.0.0.0", "::"]);

/** Reads the environment, opens the worker's dependencies, and works until it receives a stop signal. */
export const startWorker = async ({ createRuns, release }: Needs): Promise<void> => {
  const config = readConfig();
  if (config.WORKER_URL === undefined && everywhere.has(config.WORKER_HOST))
    throw new ConfigError(
      `WORKER_URL is missing: Restate can't call ${config.WORKER_HOST}. Set it to this worker's address for Restate.`,
    );
  const mail = readMail(config);
  const canaries = readCanaryMailbox(config);
  const payments = createPayments(config);
  const infrastructure = await openInfrastructure(config, {
    applicationName: "portage worker",
    release,
    poolSize: config.DATABASE_POOL_SIZE + ownConnections,
    acquireTimeoutMs: 10_000,
  });
  const { db, log, registry, outbound, sealer } = infrastructure;
  const { metrics, stop: stopMetrics } = await startMetrics(config, { service: "worker", db, log });
  const runs = createRuns({
    db,
    registry,
    sealer,
    outbound,
    log,
    partitions: config.RUN_PARTITIONS,
    largeAnswerBytes: config.LARGE_ANSWERS_MB * 1024 * 1024,
    times: { leaseMs: config.RUN_LEASE_MS, writeMs: config.RUN_WRITE_MS },
    silence: { mailbox: canaries?.address ?? null, waitMs: config.CANARY_WAIT_SECONDS * 1_000 },
    metrics,
  });
  // Separate connections: partners' webhook receivers and customers' tools share nothing, also no allowed address.
  const webhookOutbound = createOutbound({ allow: config.WEBHOOK_ALLOW });
  const webhookNeeds = {
    db,
    sealer,
    log,
    outbound: webhookOutbound,
    times: webhookTimes(config.WEBHOOK_TIME_SCALE),
    metrics,
  };
  const webhooks = createWebhooks({ ...webhookNeeds, perPartner: config.WEBHOOK_PARTNER_CONCURRENCY });
  const worker = createWorker({
    runs,
    webhooks,
    progress: createProgressSender(webhookNeeds),
    db,
    requireReady: createReadiness(db, sealer),
    log,
    metrics,
    release,
    simulations: createSimulations({ db, sealer }),
    sendMails: mail === null ? undefined : createMails(mail, infrastructure, config.PUBLIC_URL),
    deleteErased: () => deleteErased(infrastructure),
    pollPayments: createPollPayments({
      db,
      log,
      settle: createSettle({ db }),
      providers: payments.providers.map((provider) => measureProvider(provider, metrics)),
    }),
    scheduledStarts: runScheduledStarts(db),
    retention: createRetention(config, infrastructure),
    publicUrl: config.PUBLIC_URL,
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    healthPort: config.WORKER_HEALTH_PORT,
    url: config.WORKER_URL,
    ingressUrl: config.RESTATE_INGRESS_URL,
    adminUrl: config.RESTATE_ADMIN_URL,
    identityKeys: config.RESTATE_IDENTITY_KEYS,
    concurrency: config.WORKER_CONCURRENCY,
    webhookConcurrency: config.WEBHOOK_CONCURRENCY,
  });
  // Before chunks: a mail may come as soon as one has written its first canary.
  const mailbox = canaries && (await startCanaryMailbox({ db, log, host: config.WORKER_HOST, ...canaries }));
  drainAtEnd(longestDrainMs + 5_000, async ({ err, signal }) => {
    if (err) log.error({ err }, "stopping after an error");
    log.info({ signal }, "draining");
    await worker.drain();
    await runs.close();
    await mailbox?.close();
    await stopMetrics();
    await Promise.all([webhookOutbound.close(), payments.close()]);
    await infrastructure.close();
    log.info("stopped");
  });
  await worker.start();
};
