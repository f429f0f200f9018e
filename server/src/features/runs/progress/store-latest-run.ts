import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import type { RunKind, RunState } from "../run.ts";

export interface LatestRun {
  readonly id: string;
  readonly kind: RunKind;
  readonly state: RunState;
  /** Why it could not continue: a stable code, and a sentence for people. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** The live run of an import, else the last one that ended. */
export const findLatestRun = async (db: Database, importId: string): Promise<LatestRun | null> => {
  const { rows } = await sql<LatestRun>`
    select id, kind, state, case when failure_code is not null and failure_message is not null
      then json_build_object('code', failure_code, 'message', failure_message) end as failure
    from runs where import_id = ${importId} order by import_id, number desc limit 1`.execute(db.sql);
  return rows[0] ?? null;
};
