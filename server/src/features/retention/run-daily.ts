import type { Database } from "../../platform/db.ts";
import { type RetentionDone, runRetention } from "./run-retention.ts";
import { isRetentionDue, underRetentionLock } from "./store.ts";

/** Does it once a day, whoever and however many ask. Undefined: it is not due, or somebody else is at it. */
export const runDailyRetention = (
  db: Database,
  run: (db: Database) => Promise<RetentionDone> = runRetention,
): Promise<RetentionDone | undefined> =>
  // Asked under the lock: whoever had it before may just have done it.
  underRetentionLock(db, async () => ((await isRetentionDue(db)) ? run(db) : undefined));
