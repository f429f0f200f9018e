import {
  measureQueues,
  measureStorage,
  queueMetricNames,
  storageMetricNames,
} from "../features/queue-metrics/index.ts";
import type { Database } from "../platform/db.ts";
import type { Election } from "../platform/election.ts";
import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";
import type { Metrics } from "../platform/metrics/index.ts";

interface Needs {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly election: Election;
  readonly everyMs: number;
  /** The lease of a partition. */
  readonly leaseMs: number;
  /** How many values each key seals. */
  readonly sealedValues: () => Promise<ReadonlyMap<string, number>>;
}

/** Sizes and sealed values change slowly and cost more: they are read this much less often. */
const storageEvery = 40;

const timestamp = "portage_queue_metrics_timestamp_seconds";

/** Reads the metrics of queues in the elected process. Another process says nothing of them: it would be older. */
export const startQueueMetricsLoop = (needs: Needs): Loop => {
  const { db, log, metrics, election, everyMs, leaseMs } = needs;
  const readAt = new Map<string, number>();
  let isElected = false;
  /** What was asked before an election was lost may be answered after it. */
  const whileElected: Pick<Metrics, "set"> = {
    set: (name, samples) => {
      if (isElected) metrics.set(name, samples);
    },
  };

  const note = (group: "queues" | "storage") => {
    if (!isElected) return;
    readAt.set(group, Date.now() / 1_000);
    metrics.set(
      timestamp,
      [...readAt].map(([of, value]) => ({ labels: { group: of }, value })),
    );
  };
  const forget = () => {
    for (const name of [...queueMetricNames, ...storageMetricNames, timestamp] as const)
      metrics.set(name, []);
    readAt.clear();
  };

  const readQueues = async () => {
    try {
      isElected = await election.isElected();
    } catch (error) {
      // Cut off from the database: another process may be elected meanwhile, and this one would show old values beside it.
      isElected = false;
      throw error;
    } finally {
      if (!isElected) forget();
    }
    if (!isElected) return everyMs;
    await measureQueues(db, whileElected, { leaseMs });
    note("queues");
    return everyMs;
  };

  const readStorage = async () => {
    if (!isElected) return everyMs;
    try {
      await measureStorage(db, whileElected, needs.sealedValues);
      note("storage");
    } catch (error) {
      // It reads whole tables: no immediate retry.
      log.warn({ err: error }, "storage metrics not read");
    }
    return everyMs * storageEvery;
  };

  // Apart: what storage takes, or fails with, must not make the metrics of queues late.
  const loops = [
    startLoop({ name: "queue metrics", log, iterate: readQueues }),
    startLoop({ name: "storage metrics", log, iterate: readStorage }),
  ];
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
};
