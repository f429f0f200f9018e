import type { Database } from "../../platform/db.ts";
import type { Lease } from "./lease.ts";
import { stateName } from "./ledger-state.ts";
import type { LedgerRow } from "./store-ledger.ts";

/** Rows of an earlier sample whose records the new one does without. */
export const listOutsideSample = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly LedgerRow[]> => {
  const { rows } = await db.pool.query<Omit<LedgerRow, "state"> & { state: number }>(
    `select l.source_id as "sourceId", l.state, l.dest_id as "destId", l.reason, l.detail, l.dest_hash as "destHash",
       l.source_hash as "sourceHash", l.key_generation as "keyGeneration", l.swept
     from ${leaf} l where l.import_id = $1 and l.stream = $2 and l.source_id > $3
       and not exists (select 1 from sample_records s where s.import_id = $1 and s.stream = $2 and s.source_id = l.source_id)
     order by l.source_id limit $4`,
    [importId, stream, after ?? "", limit],
  );
  return rows.map((row) => ({ ...row, state: stateName(row.state) }));
};
