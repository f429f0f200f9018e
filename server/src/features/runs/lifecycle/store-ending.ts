import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import { saveFigures } from "../../imports/index.ts";
import { foldRun } from "../progress/fold-run.ts";
import { inDoubt } from "../ledger/row-state.ts";
import type { RunKind, Wanted } from "../run.ts";
import type { RunGroup } from "../progress/run-group.ts";
import { readRunSums } from "../progress/store-run-sums.ts";

export interface EndingRun {
  readonly runId: string;
  readonly importId: string;
  readonly kind: RunKind;
  readonly wanted: Wanted;
  readonly failureCode: string | null;
  /** For people. */
  readonly failureMessage: string | null;
  readonly wrote: boolean;
}

// A write given up without an answer may have taken effect, and so may the creation of a field.
const wrote = sql<boolean>`(exists (select 1 from partitions w where w.run_id = r.id
    and (w.created + w.updated > 0 or jsonb_exists(w.tallies, ${`reason|failed|${inDoubt}`})))
  or exists (select 1 from destination_fields f where f.import_id = r.import_id and f.state in ('creating', 'created')))`;

/** Runs whose partitions have all ended, but that are not ended themselves: the last attempt did not get to it. */
export const listEndingRuns = async (
  db: Database,
  runId: string | null,
  limit: number,
): Promise<readonly EndingRun[]> => {
  const { rows } = await sql<EndingRun>`
    select r.id as run_id, r.import_id, r.kind, r.wanted, r.failure_code, r.failure_message, ${wrote} as wrote
    from runs r where r.ended_at is null and (${runId}::text is null or r.id = ${runId})
      and not exists (select 1 from partitions p where p.run_id = r.id and p.state in ('running', 'waiting'))
    limit ${limit}`.execute(db.sql);
  return rows;
};

/** Within the transaction that moves the import: folds the run's counts into the import's figures. Null: it had ended. */
export const endRun = async (
  tx: Transaction,
  runId: string,
  state: "done" | "failed" | "stopped",
): Promise<readonly RunGroup[] | null> => {
  const { importId, figures, ...run } = await readRunSums(tx, runId);
  const ended = await tx
    .updateTable("runs")
    .set({ state, endedAt: sql`now()`, waitingFor: null, waitingSince: null })
    .where("id", "=", runId)
    .where("endedAt", "is", null)
    .executeTakeFirst();
  if (ended.numUpdatedRows !== 1n) return null;
  await saveFigures(tx, importId, foldRun(figures, { ...run, ended: true }));
  return run.groups;
};
