/**
 * Reads partner events, as the API lists them and webhooks carry them; `event-outbox` writes them. Entry points:
 * `listEvents` (pages by the last event's id), `findEvents`, `loadEventBodies`, and `deleteOldEvents` for retention.
 * Invariants: `listEvents` returns only the partner's own events of the last `keptDays` days and skips none: it orders
 * by (transaction, number) and stops before the oldest open transaction. `restoreEventOrder` mends the order of events that
 * were dumped on another server.
 */
export { loadEventBodies } from "./event-body.ts";
export {
  areEventsAhead,
  deleteOldEvents,
  type EventRecord,
  findEvents,
  keptDays,
  listEvents,
  restoreEventOrder,
  restoreEventOrderIfNeeded,
} from "./store.ts";
