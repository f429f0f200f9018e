/**
 * Hands the effects of import transitions to the dispatcher, which passes them to runs. Entry points: `takeWaiting`,
 * `waitingForMs` and, for retention, `deleteDispatched`. `imports` writes the rows in the transaction of the transition.
 * Invariants: delivery is at least once: a row counts as dispatched only when the transaction of `takeWaiting` commits.
 * Effects of one import stay in order, and row locks keep two workers from holding the same effect (store.ts).
 */
export { deleteDispatched, takeWaiting, type WaitingEffect, waitingForMs } from "./store.ts";
