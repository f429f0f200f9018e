/**
 * Writes partner events and their webhook deliveries. Entry points: `writeNotice` for all events, `eraseNotices` for
 * those of simulations. `events` lists the events, `webhooks` sends the deliveries.
 * Invariants: an event commits with the change that it reports, as `writeNotice` takes the caller's transaction, and keeps the
 * import's figures of that moment (store-figures.ts).
 * Ordered deliveries of one subject share a lane: `writeNotice` holds a new one back while an earlier one is open, and
 * a unique index in 000012_webhooks.sql allows one waiting or sending delivery per lane.
 */
export { eraseNotices, writeNotice } from "./store.ts";
