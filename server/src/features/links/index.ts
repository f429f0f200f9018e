/**
 * Further links to an import and the browser sessions that links open. Entry points: `makeLink`, `findLink`,
 * `revokeLink`, `openCustomerSession`, `findSession`, and `deleteOldLinks` and `deleteOldSessions` for retention.
 * Invariants: the database keeps only hashes of tokens and session keys (link.ts, session.ts). Replacing the import's
 * own link ends its further links and sessions, as every lookup compares the link's mark (store.ts, store-sessions.ts).
 * A session ends with its link, after `longestSessionMs` at the latest. An admin link permits connecting one side
 * (`mayBy`).
 */
export { linkHash, type LinkMade, makeLink, type May } from "./link.ts";
export { findSession, longestSessionMs, openCustomerSession, type Session } from "./session.ts";
export {
  deleteOldLinks,
  findLink,
  type KeptLink,
  listLinks,
  revokeLink,
  revokeMailedLinks,
} from "./store.ts";
export { deleteOldSessions, liveSessions } from "./store-sessions.ts";
