import type { Database } from "../../platform/db.ts";
import { stateNumber } from "./ledger-state.ts";

/** How many records of a stream are in the destination already. */
export const countCopied = async (db: Database, importId: string, stream: string): Promise<number> => {
  const { rows } = await db.pool.query<{ n: number }>(
    "select count(*) as n from ledger where import_id = $1 and stream = $2 and state = any($3)",
    [importId, stream, (["written", "matched", "kept"] as const).map(stateNumber)],
  );
  return rows[0]?.n ?? 0;
};
