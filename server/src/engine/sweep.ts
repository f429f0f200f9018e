import type { Log } from "../platform/log.ts";
import type { Ingress } from "./ingress.ts";
import { type Loop, startLoop } from "../platform/loop.ts";
import type { RunsPort } from "./runs-port.ts";

interface Needs {
  readonly runs: Pick<RunsPort, "findOverdue" | "endOverlongWaits">;
  readonly ingress: Pick<Ingress, "send">;
  readonly log: Log;
  /** Whether Restate accepts invocations: a generation raised in vain waits until it is overdue again. */
  readonly isReady: () => boolean;
  readonly everyMs?: number;
}

const batchSize = 100;
const lookForWaitsMs = 10 * 60 * 1_000;

/**
 * Restarts work that Restate lost: a generation that made no progress in time gets a successor. Several workers may
 * sweep, because the conditional update in PostgreSQL lets one of them win.
 */
export const startSweep = ({ runs, ingress, log, isReady, everyMs = 3_000 }: Needs): Loop => {
  let waitsDueAt = 0;
  const iterate = async () => {
    const overdue = await runs.findOverdue(batchSize);
    if (overdue.length > 0) log.info({ chunks: overdue.length }, "overdue chunks sent again");
    await ingress.send(overdue);
    if (performance.now() >= waitsDueAt) {
      await ingress.send(await runs.endOverlongWaits());
      waitsDueAt = performance.now() + lookForWaitsMs;
    }
    // Jitter, because many workers may start at the same moment.
    return overdue.length === batchSize ? 0 : everyMs * (0.75 + Math.random() / 2);
  };
  return startLoop({ name: "sweep", log, iterate, isReady });
};
