import type { Family } from "@portage/contract";
import { sql } from "kysely";
import type { Transaction } from "../../../platform/db.ts";
import { type CountedColumns, type Figures, type RunFinding, toCounted } from "../../imports/index.ts";
import type { RunKind } from "../run.ts";
import type { GroupTallies, RunGroup } from "./run-group.ts";
import { groupsOfRun, talliesOfRun } from "./store-progress.ts";

/** What a run has counted, for its end. */
export interface RunSums {
  readonly importId: string;
  readonly family: Family;
  readonly kind: RunKind;
  readonly figures: Figures;
  readonly groups: readonly RunGroup[];
  readonly tallies: readonly GroupTallies[];
}

type Row = Pick<RunSums, "importId" | "family" | "kind"> &
  CountedColumns & {
    readonly findings: RunFinding[] | null;
    readonly groups: RunGroup[] | null;
    readonly tallies: GroupTallies[] | null;
  };

export const readRunSums = async (tx: Transaction, runId: string): Promise<RunSums> => {
  const { rows } = await sql<Row>`
    select i.id as import_id, i.family, r.kind, i.items, i.source_people, i.destination_people, i.matched_people,
      i.findings, (${sql.raw(groupsOfRun)}) as groups, (${sql.raw(talliesOfRun)}) as tallies
    from runs r join imports i on i.id = r.import_id where r.id = ${runId}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error(`There is no run ${runId}.`);
  const { importId, family, kind, findings, groups, tallies } = row;
  return {
    importId,
    family,
    kind,
    figures: { ...toCounted(row), findings: findings ?? [] },
    groups: groups ?? [],
    tallies: tallies ?? [],
  };
};
