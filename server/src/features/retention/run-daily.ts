import type { Database } from "../../platform/db.ts";
import { underSessionLock } from "../../platform/session-lock.ts";
import { type RetentionDone, runRetention } from "./run-retention.ts";
import { isRetentionDue } from "./store.ts";

/** Runs retention once a day, however many workers call it. Undefined: it is not due, or another process runs it. */
export const runDailyRetention = (
  db: Database,
  run: (db: Database) => Promise<RetentionDone> = runRetention,
): Promise<RetentionDone | undefined> =>
  // Checked under the lock: its previous holder may have just finished.
  underSessionLock(db, "portage retention", async () => ((await isRetentionDue(db)) ? run(db) : undefined));
