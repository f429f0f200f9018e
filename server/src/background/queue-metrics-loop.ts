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

/** Sizes and sealed values change slowly and cost more: they are read once in so many turns. */
const storageEvery = 40;

const timestamp = "portage_queue_metrics_timestamp_seconds";

/** Reads the metrics of queues in the elected process. Another process says nothing of them: it would be older. */
export const startQueueMetricsLoop = (needs: Needs): Loop => {
  const { db, log, metrics, election, everyMs, leaseMs } = needs;
  const readAt = new Map<string, number>();
  let turns = 0;

  const note = (group: "queues" | "storage") => {
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
    turns = 0;
  };

  const turn = async () => {
    if (!(await election.isElected())) {
      forget();
      return everyMs;
    }
    await measureQueues(db, metrics, { leaseMs });
    note("queues");
    if (turns % storageEvery === 0) {
      await measureStorage(db, metrics, needs.sealedValues);
      note("storage");
    }
    turns += 1;
    return everyMs;
  };

  return startLoop({ name: "queue metrics", log, turn });
};
