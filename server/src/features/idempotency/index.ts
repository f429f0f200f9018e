/**
 * Runs a partner's request at most once per idempotency key. Entry points: `createOnce`, and `deleteOldKeys` for
 * retention.
 * Invariants: the answer commits in the same transaction as the work, and only for the process that still holds the
 * claim (`keepAnswer`). The same key with another request runs nothing (`other_request`). A claim expires by itself, so
 * a process that died does not block the key (`claimKey`). Requests and answers are sealed and kept for `keptHours`; a
 * repetition is known by the sealed request, so a key of the ring can go at once (`isKeptRequest`).
 */
export { createOnce, type Once } from "./once.ts";
export { isKeptRequest, keepRequest, type KeptRequest } from "./kept-request.ts";
export { deleteOldKeys, keptAnswers, keptHours, keptRequests } from "./store.ts";
