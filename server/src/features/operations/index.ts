/**
 * What operators see across imports, which no one of them shows: which are stuck and why, the runs of one with their
 * partitions, the backlog of webhooks, the processes at work, the size of tables. It only reads.
 * Entry points: `findStuck`, `listRuns`, `listBacklog`, `countBehind`, `listProcesses`, `countWork`,
 * `countOpenImports`, `countLiveImports`, `listTableSizes`.
 * Invariants: "stuck" is defined once, in stuck.ts, and found in the database by live runs and waiting work alone, so that the
 * question costs the same however many imports have ended (store-stuck.ts). No answer holds a secret or a customer's record.
 */
export { listRuns, type PartitionState, type RunDetails } from "./store-runs.ts";
export { findStuck } from "./store-stuck.ts";
export {
  countBehind,
  countLiveImports,
  countOpenImports,
  countWork,
  listBacklog,
  listProcesses,
  listTableSizes,
  type WebhookBacklog,
} from "./store-system.ts";
export { type Stuck, type StuckCause, stuckCauses } from "./stuck.ts";
