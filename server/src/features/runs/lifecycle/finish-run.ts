import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import { type Metrics, noMetrics } from "../../../platform/metrics/index.ts";
import { moveImport, type RunEnd } from "../../imports/index.ts";
import type { RunGroup } from "../progress/run-group.ts";
import { settledOutcomes } from "./chunk-metrics.ts";
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

export interface FinishNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

const countsOf = (groups: readonly RunGroup[]) =>
  Object.fromEntries(
    settledOutcomes.map((outcome) => [outcome, groups.reduce((sum, group) => sum + group[outcome], 0)]),
  );

/** Ends runs that have no partition left: the run's row and the import's status in one transaction. */
export const finishRuns = async (
  { db, log, metrics = noMetrics }: FinishNeeds,
  runId: string | null = null,
): Promise<number> => {
  const ending = await listEndingRuns(db, runId, 100);
  for (const run of ending) {
    const [event, state] = endOf(run);
    let ended: readonly RunGroup[] | null = null;
    const moved = await moveImport(db, event, {
      ...system,
      importId: run.importId,
      alongside: async (tx) => {
        ended = await endRun(tx, run.runId, state);
        return true;
      },
    });
    // An import without such a run has nothing to move; the run has ended nevertheless.
    if (moved.kind === "refused" || moved.kind === "missing")
      ended = await db.sql.transaction().execute((tx) => endRun(tx, run.runId, state));
    if (ended === null) continue;
    // The failure's message may quote a tool, so the log has its code alone.
    log.info(
      {
        run_id: run.runId,
        import_id: run.importId,
        kind: run.kind,
        outcome: state,
        ...(run.failureCode !== null && { code: run.failureCode }),
        records: countsOf(ended),
      },
      "run ended",
    );
    if (run.failureCode !== null)
      metrics.count("portage_runs_failed_total", { kind: run.kind, code: run.failureCode });
  }
  return ending.length;
};
