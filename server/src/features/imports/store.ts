// Hot: every request of a partner or of the wizard reads an import.
import { importIdPattern, type Warning } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { RunFinding } from "./figures.ts";
import type { ImportRecord, ImportWithWarnings } from "./import.ts";
import { type FoundRow, importColumns, toRecord } from "./store-rows.ts";
import { warningsOfImport } from "./store-warnings.ts";

/** One open import of a partner, with its warnings, in one prepared query: the API's busiest. */
export const findImport = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  id: string,
): Promise<ImportWithWarnings | undefined> => {
  if (!importIdPattern.test(id)) return undefined;
  const { rows } = await db.pool.query<FoundRow & { findings: RunFinding[]; warnings: Warning[] | null }>({
    name: "find-import",
    text: `select ${importColumns}, i.findings,
             (${warningsOfImport}) as warnings
           from imports i where i.id = $1 and i.partner_id = $2 and i.closed is null`,
    values: [id, partnerId],
  });
  const [row] = rows;
  return (
    row && { ...toRecord(sealer, row, row.bought), warnings: row.warnings ?? [], findings: row.findings }
  );
};

/** Whose import it is, open or closed. */
export const findPartnerId = async (db: Database, id: string): Promise<string | undefined> => {
  if (!importIdPattern.test(id)) return undefined;
  const { rows } = await db.pool.query<{ partner_id: string }>(
    "select partner_id from imports where id = $1",
    [id],
  );
  const [row] = rows;
  return row?.partner_id;
};

/** Any import, open or closed, of any partner: for the operator and for the customer's link. */
export const findAnyImport = async (
  db: Database,
  sealer: Sealer,
  id: string,
): Promise<ImportRecord | undefined> => {
  if (!importIdPattern.test(id)) return undefined;
  const { rows } = await db.pool.query<FoundRow>(`select ${importColumns} from imports i where i.id = $1`, [
    id,
  ]);
  const [row] = rows;
  return row && toRecord(sealer, row, row.bought);
};
