import { takeWaiting, type WaitingEffect } from "../features/outbox/index.ts";
import type { ChunkToSend } from "../features/runs/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { type Ingress, IngressError } from "./ingress.ts";
import { type Loop, startLoop } from "../platform/loop.ts";
import { inSpan, withTrace } from "../platform/tracing.ts";
import type { RunsPort } from "./runs-port.ts";

interface Needs {
  readonly db: Database;
  readonly runs: Pick<
    RunsPort,
    "startRun" | "stopRun" | "pauseRun" | "unpauseRun" | "startAfterPreflight" | "resumeWaiting"
  >;
  readonly ingress: Ingress;
  readonly log: Log;
  /** Whether Restate accepts invocations. */
  readonly isReady: () => boolean;
}

const batchSize = 20;
const idleMs = 250;
const firstBackOffMs = 1_000;
const longestBackOffMs = 60_000;

interface BackOff {
  readonly importId: string;
  readonly failures: number;
  readonly until: number;
}

/** Executes the effects in the outbox, sends the resulting chunks, and only then marks the effects as dispatched. */
export const startDispatcher = ({ db, runs, ingress, log, isReady }: Needs): Loop => {
  const backOffs = new Map<number, BackOff>();

  const carryOut = ({ id, importId, effect }: WaitingEffect): Promise<readonly ChunkToSend[]> => {
    switch (effect.kind) {
      case "start_run":
        return runs.startRun({ importId, kind: effect.run, causes: effect.causes ?? null, outboxId: id });
      case "stop_run":
        return runs.stopRun({ importId });
      case "resume_run":
        return runs.resumeWaiting({ importId, side: effect.side });
      case "pause_run":
        return runs.pauseRun({ importId });
      case "unpause_run":
        return runs.unpauseRun({ importId });
      case "start_after_preflight":
        return runs.startAfterPreflight({ importId, planned: effect.planned === true });
    }
  };

  const putOff = ({ id, importId }: WaitingEffect) => {
    const failures = (backOffs.get(id)?.failures ?? 0) + 1;
    const pauseMs = Math.min(firstBackOffMs * 2 ** (failures - 1), longestBackOffMs);
    backOffs.set(id, { importId, failures, until: performance.now() + pauseMs });
  };

  /** Retries a failed effect later with backoff; it delays its own import only. */
  const tryOne = async (waiting: WaitingEffect): Promise<"done" | "put_off" | IngressError> => {
    const { id, importId, effect } = waiting;
    try {
      await withTrace(waiting.trace, () =>
        inSpan(`effect ${effect.kind}`, { "portage.import_id": importId }, async () =>
          ingress.send(await carryOut(waiting)),
        ),
      );
      backOffs.delete(id);
      return "done";
    } catch (error) {
      if (error instanceof IngressError && error.isOutage) return error;
      putOff(waiting);
      log.warn({ err: error, outbox: id, import: importId, effect: effect.kind }, "effect not dispatched");
      return "put_off";
    }
  };

  /** The imports in backoff. Drops old entries: another worker has dispatched those effects since. */
  const inBackOff = () => {
    const now = performance.now();
    for (const [id, { until }] of backOffs) if (until + longestBackOffMs < now) backOffs.delete(id);
    return [...backOffs.values()].flatMap(({ importId, until }) => (until > now ? [importId] : []));
  };

  const iterate = async () => {
    let outage: IngressError | undefined;
    const taken = await takeWaiting(db, { limit: batchSize, exceptImports: inBackOff() }, async (waiting) => {
      const outcomes = await Promise.all(waiting.map(tryOne));
      outage = outcomes.find((outcome) => outcome instanceof IngressError);
      return waiting.filter((_, index) => outcomes[index] === "done").map(({ id }) => id);
    });
    // Throw once for all of them: the loop logs one line and backs off.
    if (outage) throw outage;
    return taken === batchSize ? 0 : idleMs;
  };

  return startLoop({ name: "dispatcher", log, iterate, isReady });
};
