/**
 * Limits each partner to `requestsPerSecond` requests, across all processes. Entry points: `createTurns`, which batches
 * the requests of a process, and `takeTurns`, its statement.
 * Invariants: a partner's request is accepted only if the tenth accepted one before it is at least a second old, by the
 * database's clock (`takeTurns`). A partner's queue never blocks another partner, and sorted ids prevent deadlocks
 * between processes (`createTurns`).
 */
export { requestsPerSecond, takeTurns } from "./store.ts";
export { createTurns, type RateLimitDecision } from "./turns.ts";
