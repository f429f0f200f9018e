/**
 * Shares each tool account among all runs and processes: its rate limits (slots: times at which a request may start, in lanes
 * of requests that all limits count alike), its concurrency (places) and its circuit breaker. `process/` leases them,
 * `learning/` infers limits from answers, `circuit/` stops calls to a failing tool, `state/` is the shared row (table
 * account_slots).
 * Entry points: `createAccountSlots` (a limiter per account, side and run), `describeAccount` (capacity, for
 * estimates), `listAccountHealth` and `findAccountHealth` (for operators), `fullestQuotas` (metrics), `deleteUnusedAccounts` (retention).
 * Invariants: All processes together never run more requests per side than the concurrency (process/share-places.ts).
 * Granted slots never exceed a known limit in any of its windows (process/grant-slots.ts, state/pace.ts). A change
 * applies only to the row version that it was computed from (state/store.ts). While a circuit is open at most one
 * request probes (circuit/circuit.ts). A long wait fails with a retryable error instead (process/account.ts).
 */
export { createAccountSlots, type CreateLimiter } from "./process/account-slots.ts";
export {
  type AccountHealth,
  describeAccount,
  findAccountHealth,
  listAccountHealth,
} from "./state/describe-account.ts";
export { fullestQuotas } from "./state/fullest-quotas.ts";
export { deleteUnusedAccounts } from "./state/store.ts";
