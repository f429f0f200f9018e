import type { Database } from "../../../platform/db.ts";
import { type Metrics, noMetrics } from "../../../platform/metrics/index.ts";
import { moveImport, type RunEnd } from "../../imports/index.ts";
import { type EndingRun, endRun, listEndingRuns } from "./store-ending.ts";

const system = { partnerId: null, actor: { kind: "system" } } as const;

const endOf = ({
  wanted,
  failureCode,
  failureMessage,
  wrote,
}: EndingRun): [RunEnd, "done" | "failed" | "stopped"] => {
  if (failureCode !== null) return [{ type: "run_failed", wrote, cause: failureMessage }, "failed"];
  return wanted === "stop" ? [{ type: "run_stopped", wrote }, "stopped"] : [{ type: "run_done" }, "done"];
};

/** Ends runs that have no partition left: the run's row and the import's status in one transaction. */
export const finishRuns = async (
  db: Database,
  runId: string | null = null,
  metrics: Metrics = noMetrics,
): Promise<number> => {
  const ending = await listEndingRuns(db, runId, 100);
  for (const run of ending) {
    const [event, state] = endOf(run);
    let isEnded = false;
    const moved = await moveImport(db, event, {
      ...system,
      importId: run.importId,
      alongside: async (tx) => {
        isEnded = await endRun(tx, run.runId, state);
        return true;
      },
    });
    // An import without such a run has nothing to move; the run has ended nevertheless.
    if (moved.kind === "refused" || moved.kind === "missing")
      isEnded = await db.sql.transaction().execute((tx) => endRun(tx, run.runId, state));
    if (isEnded && run.failureCode !== null)
      metrics.count("portage_runs_failed_total", { kind: run.kind, code: run.failureCode });
  }
  return ending.length;
};
