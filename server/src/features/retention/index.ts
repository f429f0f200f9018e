export { ledgerKeptDays, mailsKeptDays, sampleKeptDays } from "./periods.ts";
export { runDailyRetention } from "./run-daily.ts";
export { type RetentionDone, runRetention } from "./run-retention.ts";
export { isRetentionDue, lastRetentionAt } from "./store.ts";
