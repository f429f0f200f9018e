import type { DB } from "../../platform/schema.ts";
import { maxOldLinksDays } from "../partners/index.ts";
import { auditKeptDays } from "../staff/index.ts";
import {
  closedKeptDays,
  ledgerKeptDays,
  mailsKeptDays,
  outboxKeptDays,
  sampleKeptDays,
  unfinishedUploadDays,
  unusedUploadDays,
} from "./periods.ts";

/** How long the rows of a table are kept, and what an erasure of an import does with them. */
export interface TableRule {
  readonly kept: string;
  /** `none`: the table has no data of an import. */
  readonly atErasure: "deleted" | "cleared" | "kept" | "none";
}

const configuration: TableRule = { kept: "until the operator removes it", atErasure: "none" };
const books: TableRule = { kept: "with the books; never deleted", atErasure: "kept" };
const withImport: TableRule = {
  kept: `${closedKeptDays} days after the import was closed`,
  atErasure: "deleted",
};
const withSignIns: TableRule = {
  kept: "with the sign-ins, or until the import is closed",
  atErasure: "deleted",
};

/** Every table: the compiler and a test against the schema fail for one without a rule. */
export const tableRules: Readonly<Record<keyof DB, TableRule>> = {
  // Imports share it: what it holds of an account is not one import's to delete.
  accountSlots: { kept: "7 days after the last use of the account", atErasure: "kept" },
  apiTokens: { kept: "with the partner; a revoked token keeps its hash", atErasure: "none" },
  audit: { kept: withImport.kept, atErasure: "cleared" },
  canaryMailbox: { kept: "one row", atErasure: "none" },
  checkouts: books,
  connections: {
    kept: "sign-ins: 7 (source) and 30 days (destination) after the migration",
    atErasure: "deleted",
  },
  databaseServers: { kept: "one row per failover or restore", atErasure: "none" },
  destinationFields: withImport,
  disputes: books,
  erasures: books,
  events: { kept: "30 days", atErasure: "kept" },
  idempotencyKeys: { kept: "24 hours", atErasure: "kept" },
  importLinks: { kept: "until they expire", atErasure: "deleted" },
  importWarnings: withImport,
  imports: { kept: "the row with the books; cleared when the import is erased", atErasure: "cleared" },
  keptRecords: withImport,
  keyChecks: { kept: "until the key is rotated away", atErasure: "none" },
  lastRetention: { kept: "one row", atErasure: "none" },
  ledger: {
    kept: `${ledgerKeptDays} days after the month's end, longer while an import of that month is open`,
    atErasure: "deleted",
  },
  mailAddresses: withSignIns,
  mails: { kept: `${mailsKeptDays} days`, atErasure: "deleted" },
  mappingFacts: withSignIns,
  mappingPeople: withSignIns,
  mappingRevisions: { kept: "while the import is open", atErasure: "deleted" },
  matchedRecords: withImport,
  moneyEntries: books,
  moneyPostings: books,
  oauthClients: configuration,
  oldLinks: {
    kept: `as many days as the partner's setting says after the full migration began, at most ${maxOldLinksDays}`,
    atErasure: "deleted",
  },
  outbox: { kept: `${outboxKeptDays} days after it was dispatched`, atErasure: "kept" },
  partitions: withImport,
  partnerLogos: configuration,
  partnerReminders: withImport,
  partners: configuration,
  paymentNotices: { kept: "90 days", atErasure: "none" },
  pendingLinks: { kept: "until they are linked, or like the import", atErasure: "deleted" },
  priceBooks: { ...books, atErasure: "none" },
  quotes: books,
  refunds: books,
  removingRecords: { kept: "until the undo ends, or like the import", atErasure: "deleted" },
  requestRing: { kept: "one row per partner and person of the staff", atErasure: "none" },
  runs: withImport,
  sampleRecords: withImport,
  sampleResults: { kept: `${sampleKeptDays} days, or until the import is closed`, atErasure: "deleted" },
  sampleReviews: { kept: `${sampleKeptDays} days, or until the import is closed`, atErasure: "deleted" },
  scheduledStarts: { kept: "until the migration starts, or like the import", atErasure: "deleted" },
  signIns: { kept: "until they expire, minutes later", atErasure: "deleted" },
  silenceChecks: withImport,
  simulationEvents: { kept: "with the simulation", atErasure: "none" },
  simulations: { kept: "the newest of each partner", atErasure: "none" },
  sponsorCharges: books,
  sponsorDecisions: books,
  sponsorRules: configuration,
  staff: { kept: "for good: the audit log names them; a person is disabled", atErasure: "none" },
  // What it says of an import has no data of its customer.
  staffAudit: { kept: `${auditKeptDays} days`, atErasure: "kept" },
  staffInvitations: { kept: "until it is used or expires", atErasure: "none" },
  staffPasskeys: { kept: "with the person, until the next enrolment", atErasure: "none" },
  staffPasswords: { kept: "with the person", atErasure: "none" },
  staffSessions: { kept: "30 days after it expired", atErasure: "none" },
  staffTokens: { kept: "with the person; a revoked token keeps its hash", atErasure: "none" },
  toolSettings: configuration,
  uploadBlobs: { kept: "minutes longer than their file; its key is gone by then", atErasure: "cleared" },
  uploadPieces: { kept: "with the uploaded file", atErasure: "cleared" },
  uploads: {
    kept: `with the sign-ins, or until the import is closed; ${unfinishedUploadDays} days if the upload was not completed, ${unusedUploadDays} if it came after the sign-ins were erased and is not used`,
    atErasure: "cleared",
  },
  webhookAttempts: { kept: "30 days", atErasure: "deleted" },
  webhookDeliveries: { kept: "30 days", atErasure: "kept" },
  webhookTargets: configuration,
  wizardSessions: { kept: "until they expire", atErasure: "deleted" },
};
