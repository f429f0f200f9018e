/**
 * The people who operate this installation: accounts with a role, tokens, sessions of browsers, and the audit log of what
 * they did. Entry points: `createStaffLookup` and `createSessionLookup` (per call), `issueStaffToken`, `openStaffSession`,
 * `revokeStaffToken`, `revokeSessions`, `setStaffDisabled`, `appendAudit`, `listStaffAudit`; to sign in `signInLocally`,
 * `signInWithPasskey` and `openOidcAccount`, and for a new account `invite` and `checkEnrolment`.
 * Invariants: the database keeps only the hash of a token or cookie; a token does at most what its person may do now; a
 * revoked or expired token or session, and all those of a disabled person, stop within 5 seconds. An entry of the audit log is
 * committed with the change that it describes, has no data of customers, and is never changed (store-audit.ts).
 */
export {
  type AccountRole,
  accountRoles,
  type Area,
  areas,
  type BrowserSession,
  includesRole,
  newStaffSchema,
  newStaffTokenSchema,
  partnerProblem,
  type Role,
  roles,
  type SignInMethod,
  type StaffMember,
  type StaffSession,
  type StaffToken,
} from "./staff.ts";
export {
  findStaff,
  findStaffToken,
  holdStaff,
  insertStaff,
  listStaff,
  listStaffTokens,
  revokeStaffToken,
  setStaffDisabled,
  setStaffRole,
} from "./store.ts";
export {
  appendAudit,
  type AuditEntry,
  auditKeptDays,
  type AuditTarget,
  deleteOldStaffAudit,
  findByIdempotencyKey,
  isByApiToken,
  isRepeatedKey,
  breakGlassSignIn,
  lastBreakGlassSignIn,
  listStaffAudit,
} from "./store-audit.ts";
export { checkEnrolment, findOpenInvitation, invitationUrl, invite, signInLocally } from "./local-sign-in.ts";
export {
  createOidcClient,
  type OidcAttempt,
  type OidcClient,
  type OidcSettings,
} from "./oidc.ts";
export { type OidcAccount, openOidcAccount } from "./oidc-account.ts";
export { findByOidc } from "./store-oidc.ts";
export {
  checkPasskeyEnrolment,
  hasPasskeys,
  passkeyRegistration,
  passkeySignIn,
  signInWithPasskey,
} from "./passkeys.ts";
export { passwordSchema } from "./password.ts";
export { createSessionLookup, openStaffSession } from "./sessions.ts";
export {
  deleteOldStaffSessions,
  findSessionById,
  listSessions,
  longestHours,
  revokeSessions,
} from "./store-sessions.ts";
export { deleteOldInvitations, invitationHours, totpSecrets } from "./store-passwords.ts";
export { totpUri } from "./totp.ts";
export { createStaffLookup, isStaffToken, issueStaffToken } from "./tokens.ts";
