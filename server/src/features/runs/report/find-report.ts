import type { Database } from "../../../platform/db.ts";
import type { ImportRecord } from "../../imports/index.ts";
import { listFields } from "../ledger/store-fields.ts";
import { findSilence } from "../silence/store-silence.ts";
import { makeReport, type Report } from "./report.ts";
import { findReportedRun } from "./store-report.ts";

/** The report of an import's last completed copy. Undefined: no copy has completed yet. */
export const findReport = async (
  db: Database,
  { id, family }: Pick<ImportRecord, "id" | "family">,
): Promise<Report | undefined> => {
  const run = await findReportedRun(db, id);
  if (!run) return undefined;
  const silence = (await findSilence(db, id)) ?? null;
  return makeReport({ importId: id, family }, run, await listFields(db, id), silence);
};
