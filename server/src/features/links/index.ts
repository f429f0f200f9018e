export { linkHash, type LinkMade, makeLink, type May } from "./link.ts";
export { findSession, longestSessionMs, openSession, type Session } from "./session.ts";
export {
  deleteOldLinks,
  findLink,
  type KeptLink,
  listLinks,
  revokeLink,
  revokeMailedLinks,
} from "./store.ts";
export { deleteOldSessions, liveSessions } from "./store-sessions.ts";
