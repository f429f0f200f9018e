import cluster, { type Worker as Process } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { createLog, type Log } from "../platform/log.ts";
import { readPart } from "./config.ts";
import { createHealthServer } from "./health-server.ts";

/** From a process to its supervisor: it works, and answers at this port. */
interface Up {
  readonly healthPort: number;
}

/** From the supervisor to a process: not a signal, which a terminal or an init system may have sent it as well. */
const drainMessage = "drain";

/** A chunk hands over at its next page; the worker cuts off a slower one, whose successor settles its writes. */
export const longestDrainMs = 60_000;

const loopback = "127.0.0.1";
const longestAnswerMs = 4_000;
const replaceAfterMs = 1_000;

/** Only the supervisor asks the processes beneath it. */
export const healthHost = (host: string): string => (cluster.isWorker ? loopback : host);

/** Tells the supervisor, if there is one, that this process works. */
export const announce = (up: Up): void => {
  if (cluster.isWorker) process.send?.(up);
};

type Drain = (why: { readonly err?: Error; readonly signal?: string }) => Promise<void>;

/** A terminal or an init system sends these to every process, before or after the supervisor's own word. */
const sentToAll = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Drains this process once, on a signal or when its supervisor says so, and ends it. */
export const drainAtEnd = (longestMs: number, drain: Drain): void => {
  let isDraining = false;
  const skip = cluster.isWorker ? [...sentToAll] : [];
  const { close } = closeWithGrace({ delay: longestMs, logger: false, skip }, async (why) => {
    isDraining = true;
    await drain(why);
  });
  if (!cluster.isWorker) return;
  // A second drain would cut the first one off. Who wants that ends the supervisor, and this process with it.
  const drainOnce = () => {
    if (!isDraining) close();
  };
  for (const signal of sentToAll) process.on(signal, drainOnce);
  process.on("message", (message) => {
    if (message === drainMessage) drainOnce();
  });
};

interface Child {
  readonly process: Process;
  /** Null: it is starting. */
  healthUrl: string | null;
}

const ask = (url: string, path: string) =>
  fetch(`${url}${path}`, { signal: AbortSignal.timeout(longestAnswerMs) });

/** One that refuses is about to end, and to be replaced. */
const isHanging = (url: string): Promise<boolean> =>
  ask(url, "/healthz").then(
    () => false,
    (error: unknown) => error instanceof Error && error.name === "TimeoutError",
  );

const whyNotReady = async ({ healthUrl, process: { id } }: Child): Promise<string | null> => {
  if (healthUrl === null) return `Process ${id} is starting.`;
  const answer = await ask(healthUrl, "/readyz").catch(() => null);
  if (answer?.ok) return null;
  const told = (await answer?.json().catch(() => null)) as { readonly reason?: string } | null | undefined;
  return `Process ${id}: ${told?.reason ?? "It does not answer."}`;
};

interface Needs {
  readonly count: number;
  readonly host: string;
  readonly healthPort: number;
  /** Each process serves its own metrics, from this port on. */
  readonly metricsPort: number | undefined;
  readonly log: Log;
}

/**
 * Runs several workers as one: they share the worker's port, whose connections they get in turn; they are ready when all are;
 * they drain together; one that ends by itself is replaced.
 */
const supervise = async ({ count, host, healthPort, metricsPort, log }: Needs) => {
  const children = new Map<number, Child>();
  let isDraining = false;
  let hasWorked = false;

  const start = (place: number) => {
    const child: Child = {
      process: cluster.fork({
        WORKER_HEALTH_PORT: "0",
        ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort && metricsPort + place) }),
      }),
      healthUrl: null,
    };
    children.set(place, child);
    child.process.on("message", (up: Up) => {
      hasWorked = true;
      child.healthUrl = `http://${loopback}:${up.healthPort}`;
      log.info({ process: child.process.process.pid }, "a worker process works");
    });
    const replace = async (code: number | null, signal: string | null) => {
      children.delete(place);
      if (isDraining) return;
      // None has worked yet: another one would fail in the same way.
      if (!hasWorked) process.exit(code || 1);
      log.error(
        { process: child.process.process.pid, code, signal },
        "a worker process ended: starting another one",
      );
      await sleep(replaceAfterMs);
      if (!isDraining) start(place);
    };
    child.process.on("exit", (code, signal) => void replace(code, signal));
  };

  const drain = async () => {
    isDraining = true;
    for (const { process: each, healthUrl } of children.values())
      if (healthUrl === null) each.kill("SIGTERM");
      else each.send(drainMessage, () => {}); // it may be ending already
    while (children.size > 0) await sleep(50);
  };

  const health = createHealthServer(
    async () => {
      if (isDraining) return "It is shutting down.";
      if (children.size < count) return "A process is being replaced.";
      const reasons = await Promise.all([...children.values()].map(whyNotReady));
      return reasons.find((reason) => reason !== null) ?? null;
    },
    async () => {
      const started = [...children.values()].flatMap(({ healthUrl }) => healthUrl ?? []);
      const hanging = await Promise.all(started.map(isHanging));
      return hanging.includes(true) ? "A process does not answer." : null;
    },
  );
  closeWithGrace({ delay: longestDrainMs + 10_000, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, "stopping after an error");
    log.info({ signal, processes: children.size }, "draining all processes");
    await drain();
    health.close();
    log.info("all stopped");
  });
  for (let place = 0; place < count; place += 1) start(place);
  await health.listen(host, healthPort);
};

/** Starts one worker in this process, or WORKER_PROCESSES of them beneath it. */
export const startWorkerProcesses = async (startOne: () => Promise<void>): Promise<void> => {
  if (cluster.isWorker) return startOne();
  const config = readPart(
    ["WORKER_PROCESSES", "WORKER_HOST", "WORKER_HEALTH_PORT", "METRICS_PORT", "LOG_LEVEL"],
    process.env,
  );
  if (config.WORKER_PROCESSES === 1) return startOne();
  await supervise({
    count: config.WORKER_PROCESSES,
    host: config.WORKER_HOST,
    healthPort: config.WORKER_HEALTH_PORT,
    metricsPort: config.METRICS_PORT,
    log: createLog(config.LOG_LEVEL, undefined, {
      service: "portage workers",
      instance: String(process.pid),
    }),
  });
};
