import { setTimeout as sleep } from "node:timers/promises";
import { createAdmin } from "../engine/admin.ts";
import { createChunkService } from "../engine/chunk.ts";
import { startDeliveries } from "../engine/deliveries.ts";
import { createDeliveryService } from "../engine/delivery.ts";
import { startDispatcher } from "../engine/dispatcher.ts";
import { createEndpoint } from "../engine/endpoint.ts";
import { createIngress } from "../engine/ingress.ts";
import { startMailLoop } from "../background/mail-loop.ts";
import { startMoneyLoop } from "../background/money-loop.ts";
import { createPlaces } from "../engine/places.ts";
import { startRegistration } from "../engine/registration.ts";
import type { RunsPort } from "../engine/runs-port.ts";
import { startRetentionLoop } from "../background/retention-loop.ts";
import { startSimulationsLoop } from "../background/simulations-loop.ts";
import { startSweep } from "../engine/sweep.ts";
import type { SimulationsAtWork } from "../features/simulator/index.ts";
import type { Webhooks } from "../features/webhooks/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createHealthServer } from "./health-server.ts";

export interface WorkerParts {
  readonly runs: RunsPort;
  readonly webhooks: Webhooks;
  readonly db: Database;
  readonly log: Log;
  /** Which code this is: other code is another deployment. */
  readonly release: string;
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  /** Where Restate finds it; undefined: where it listens. */
  readonly url: string | undefined;
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKeys: readonly string[];
  readonly concurrency: number;
  /** Webhooks that are under way at a time. */
  readonly webhookConcurrency: number;
  /** Left out: customers are sent no mail from here. */
  readonly mail?: { sendDue(): Promise<number> } | undefined;
  /** Left out: simulations go on from here only when somebody looks at them. */
  readonly simulations?: SimulationsAtWork;
  /** Left out: nobody asks after money from here. */
  readonly money?: () => Promise<number>;
  /** Left out: nothing is erased from here because its time is over. True: it was due, and is done. */
  readonly retention?: () => Promise<boolean>;
  readonly sweepEveryMs?: number;
  readonly registerEveryMs?: number;
}

export interface Worker {
  start(): Promise<void>;
  /** Takes nothing new, lets chunks hand over at their next page, and waits for them, but not for ever. */
  drain(): Promise<void>;
}

/** A chunk hands over at its next page; what takes longer is cut off, and settled by its successor. */
export const longestDrainMs = 60_000;

/** Puts a worker together; it does not listen yet. */
export const createWorker = (parts: WorkerParts): Worker => {
  const { runs, webhooks, db, log, release } = parts;
  const draining = new AbortController();
  const places = createPlaces(parts.concurrency);
  const ingress = createIngress(parts.ingressUrl);
  const admin = createAdmin(parts.adminUrl);
  const service = createChunkService({ runs, places, draining: draining.signal, log });
  const webhookPlaces = createPlaces(parts.webhookConcurrency);
  const delivery = createDeliveryService({ webhooks, places: webhookPlaces, log });
  const endpoint = createEndpoint({ ...parts, services: [service, delivery] });
  let stopLoops = (): Promise<unknown> => Promise.resolve();
  let isRegistered = () => false;

  const health = createHealthServer(async () => {
    if (draining.signal.aborted || !isRegistered()) return false;
    await db.pool.query("select 1");
    return true;
  });

  return {
    start: async () => {
      const port = await endpoint.listen(parts.host, parts.port);
      await health.listen(parts.host, parts.healthPort);
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
      // Not only when Restate is ready: first attempts need nothing of it.
      const deliveries = startDeliveries({ webhooks, ingress, places: webhookPlaces, log });
      const dispatcher = startDispatcher({ ...needs, db });
      const sweep = startSweep({ ...needs, ...(sweepEveryMs !== undefined && { everyMs: sweepEveryMs }) });
      const mail = parts.mail && startMailLoop({ mail: parts.mail, log });
      const simulations = parts.simulations && startSimulationsLoop({ simulations: parts.simulations, log });
      const money = parts.money && startMoneyLoop({ money: parts.money, log });
      const retention = parts.retention && startRetentionLoop({ retention: parts.retention, log });
      stopLoops = () => {
        // It may be waiting for Restate to give up on an address, and leaves nothing undone.
        void registration.stop();
        // It may take long; where it is cut off, the next one goes on.
        void retention?.stop();
        const others = [dispatcher.stop(), sweep.stop(), deliveries.stop()];
        return Promise.all([...others, mail?.stop(), simulations?.stop(), money?.stop()]);
      };
      log.info({ uri, concurrency: parts.concurrency }, "working");
    },
    drain: async () => {
      // First no new chunk, then the word to those at work: what they hand over must not come back here.
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
