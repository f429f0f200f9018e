/**
 * Archives idle imports and deletes data whose retention period has ended. Entry points: `runDailyRetention` (workers),
 * `runRetention` (at once, for the operator), `isRetentionDue` and `lastRetentionAt`. Each feature deletes its own
 * data.
 * Invariants: daily retention runs in one process at a time (advisory lock, store.ts) and at most once a day by the
 * database's clock. A failed run stays due: `runRetention` records its end as its last step.
 */
export {
  closedKeptDays,
  ledgerKeptDays,
  mailsKeptDays,
  outboxKeptDays,
  sampleKeptDays,
  unfinishedUploadDays,
  unusedUploadDays,
} from "./periods.ts";
export { runDailyRetention } from "./run-daily.ts";
export { type RetentionDone, runRetention } from "./run-retention.ts";
export { isRetentionDue, lastRetentionAt, wantRetention } from "./store.ts";
export { tableRules } from "./table-rules.ts";
