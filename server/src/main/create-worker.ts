import { setTimeout as sleep } from "node:timers/promises";
import { createAdmin } from "../engine/admin.ts";
import { createChunkService } from "../engine/chunk.ts";
import { startDeliveries } from "../engine/deliveries.ts";
import { createDeliveryService } from "../engine/delivery.ts";
import { startDispatcher } from "../engine/dispatcher.ts";
import { createEndpoint } from "../engine/endpoint.ts";
import { createIngress } from "../engine/ingress.ts";
import { startProgressLoop } from "../background/progress-loop.ts";
import { createSemaphore } from "../engine/semaphore.ts";
import { startRegistration } from "../engine/registration.ts";
import type { RunsPort } from "../engine/runs-port.ts";
import { startRetentionLoop } from "../background/retention-loop.ts";
import { startSimulationsLoop } from "../background/simulations-loop.ts";
import { startSweep } from "../engine/sweep.ts";
import type { SimulationsAtWork } from "../features/simulator/index.ts";
import type { ProgressSender, Webhooks } from "../features/webhooks/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { type PollingOptions, startPolling } from "../platform/loop.ts";
import { type Metrics, noMetrics } from "../platform/metrics/index.ts";
import { createHealthServer } from "./health-server.ts";
import { announce, healthHost, longestDrainMs } from "./worker-processes.ts";

export interface WorkerParts {
  readonly runs: RunsPort;
  readonly webhooks: Webhooks;
  readonly db: Database;
  /** Throws unless this process can do its work. */
  readonly requireReady: () => Promise<void>;
  readonly log: Log;
  /** Omitted: there are none. */
  readonly metrics?: Metrics;
  /** Identifies the code: another release is another deployment in Restate. */
  readonly release: string;
  /** Tells this installation's workers from those of another; omitted: they can't be told apart. */
  readonly publicUrl?: string;
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  /** The address that Restate calls; undefined: the address that the worker listens on. */
  readonly url: string | undefined;
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKeys: readonly string[];
  readonly concurrency: number;
  /** How many webhooks the worker sends concurrently. */
  readonly webhookConcurrency: number;
  /** Omitted: this worker sends no progress to partners. */
  readonly progress?: ProgressSender;
  /** Omitted: this worker sends no mail. */
  readonly sendMails?: (() => Promise<number>) | undefined;
  /** Omitted: simulations advance only when a client reads them. */
  readonly simulations?: SimulationsAtWork;
  /** Omitted: this worker deletes no bytes of erased uploads. */
  readonly deleteErased?: () => Promise<number>;
  /** Omitted: this worker does not check payments and refunds. */
  readonly pollPayments?: () => Promise<number>;
  /** Omitted: this worker starts no migrations at planned times. */
  readonly scheduledStarts?: () => Promise<number>;
  /** Omitted: this worker runs no retention. Resolves to true if a run was due and is done. */
  readonly retention?: () => Promise<boolean>;
  readonly sweepEveryMs?: number;
  readonly registerEveryMs?: number;
}

export interface Worker {
  start(): Promise<void>;
  /** Accepts no new work, lets chunks hand over at their next page, and waits for them up to a deadline. */
  drain(): Promise<void>;
}

type Poll = () => Promise<number>;

/** What was handled may be due again: a start that can't happen yet, or an erased upload, which keeps its row for a while. */
const unhurried = (poll: Poll | undefined): Poll | undefined =>
  poll &&
  (async () => {
    await poll();
    return 0;
  });

/** Assembles a worker; it listens after `start`. */
export const createWorker = (parts: WorkerParts): Worker => {
  const { runs, webhooks, db, log, release, requireReady, metrics = noMetrics } = parts;
  const draining = new AbortController();
  const places = createSemaphore(parts.concurrency);
  const ingress = createIngress(parts.ingressUrl);
  const admin = createAdmin(parts.adminUrl);
  const service = createChunkService({
    runs,
    places,
    draining: draining.signal,
    log,
    publicUrl: parts.publicUrl,
    send: ingress.send,
  });
  const webhookPlaces = createSemaphore(parts.webhookConcurrency);
  const delivery = createDeliveryService({ webhooks, places: webhookPlaces, log });
  const endpoint = createEndpoint({ ...parts, services: [service, delivery] });
  let stopLoops = (): Promise<unknown> => Promise.resolve();
  let isRegistered = () => false;
  metrics.read("portage_worker_slots", () => parts.concurrency);
  metrics.read("portage_worker_slots_in_use", () => parts.concurrency - places.free());
  metrics.read("portage_worker_registered", () => (isRegistered() ? 1 : 0));

  const health = createHealthServer(async () => {
    if (draining.signal.aborted) return "It is shutting down.";
    if (!isRegistered()) return "Restate does not know this worker yet.";
    await requireReady();
    return null;
  });

  return {
    start: async () => {
      const port = await endpoint.listen(parts.host, parts.port);
      announce({ healthPort: await health.listen(healthHost(parts.host), parts.healthPort) });
      const uri = `${parts.url ?? `http://${parts.host}:${port}`}/${release}`;
      const { registerEveryMs, sweepEveryMs } = parts;
      const registration = startRegistration({
        admin,
        uri,
        log,
        ...(registerEveryMs !== undefined && { everyMs: registerEveryMs }),
      });
      isRegistered = registration.isRegistered;
      const needs = { runs, ingress, log, isReady: isRegistered };
      // Without waiting for Restate: first attempts do not need it.
      const deliveries = startDeliveries({ webhooks, ingress, places: webhookPlaces, log });
      const dispatcher = startDispatcher({ ...needs, db });
      const sweep = startSweep({ ...needs, ...(sweepEveryMs !== undefined && { everyMs: sweepEveryMs }) });
      // These need no Restate, and go on while it is down.
      const polling = ({
        poll,
        ...options
      }: Pick<PollingOptions, "name" | "everyMs"> & { poll: Poll | undefined }) =>
        poll && startPolling({ ...options, log, poll });
      const mail = polling({ name: "mail", everyMs: 2_000, poll: parts.sendMails });
      const money = polling({ name: "money", everyMs: 5_000, poll: parts.pollPayments });
      const starts = polling({ name: "schedule", everyMs: 5_000, poll: unhurried(parts.scheduledStarts) });
      const uploads = polling({ name: "uploads", everyMs: 60_000, poll: unhurried(parts.deleteErased) });
      const progress = parts.progress && startProgressLoop({ progress: parts.progress, log });
      const simulations = parts.simulations && startSimulationsLoop({ simulations: parts.simulations, log });
      const retention = parts.retention && startRetentionLoop({ retention: parts.retention, log });
      stopLoops = () => {
        // Not awaited: it may wait for Restate's timeout on an address, and leaves no work half done.
        void registration.stop();
        // Not awaited: it may take long, and the next run continues where this one stops.
        void retention?.stop();
        void uploads?.stop();
        const others = [dispatcher.stop(), sweep.stop(), deliveries.stop()];
        return Promise.all([
          ...others,
          progress?.stop(),
          mail?.stop(),
          simulations?.stop(),
          money?.stop(),
          starts?.stop(),
        ]);
      };
      log.info({ uri, concurrency: parts.concurrency }, "working");
    },
    drain: async () => {
      // Refuse new chunks before signalling the running ones: a chunk that they hand over must not come back here.
      const drained = endpoint.drain();
      draining.abort();
      places.open();
      const late = sleep(longestDrainMs, "late" as const, { ref: false });
      if ((await Promise.race([Promise.all([drained, stopLoops()]), late])) === "late")
        log.warn("some chunks were cut off");
      endpoint.close();
      health.close();
      await ingress.close();
    },
  };
};
