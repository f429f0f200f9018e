import type { Database } from "../../../platform/db.ts";
import { lastFullDoneAt } from "./store-runs.ts";

const dayMs = 24 * 3_600_000;

/** Until when deltas and retries are part of a full migration; null: none was done. */
export const includedUntil = async (
  db: Database,
  importId: string,
  includedDays: number,
): Promise<Date | null> => {
  const doneAt = await lastFullDoneAt(db, importId);
  return doneAt && new Date(doneAt.getTime() + includedDays * dayMs);
};
