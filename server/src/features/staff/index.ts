/**
 * The people who operate this installation: accounts with a role, tokens, and the audit log of what they did.
 * Entry points: `createStaffLookup` (per call), `issueStaffToken`, `revokeStaffToken`, `setStaffDisabled`, `appendAudit`,
 * `listStaffAudit`.
 * Invariants: the database keeps only the hash of a token; a token does at most what its person may do now; a revoked or
 * expired token, and every token of a disabled person, stops within 5 seconds (tokens.ts). An entry of the audit log is
 * committed with the change that it describes, has no data of customers, and is never changed (store-audit.ts).
 */
export {
  type Area,
  areas,
  includesRole,
  newStaffSchema,
  newStaffTokenSchema,
  type Role,
  roles,
  type Staff,
  type StaffSession,
  type StaffToken,
} from "./staff.ts";
export {
  findStaff,
  findStaffToken,
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
  isRepeatedKey,
  listStaffAudit,
} from "./store-audit.ts";
export { createStaffLookup, issueStaffToken } from "./tokens.ts";
