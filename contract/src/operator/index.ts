import type { z } from "zod";
import type {
  auditSchema,
  backlogSchema,
  brandingPreviewSchema,
  changedImport,
  deliverySchema,
  disputeSchema,
  importBillingSchema,
  invoiceSchema,
  ledgerSchema,
  linkSchema,
  listedImport,
  overviewSchema,
  partnerSchema,
  priceBookSchema,
  recordSchema,
  reportSchema,
  retentionSchema,
  rulesPreviewSchema,
  sessionSchema,
  shownImport,
  shownPartner,
  shownTool,
  shownWebhook,
  sponsorRulesSchema,
  staffSchema,
  staffTokenSchema,
  storageSchema,
  stuckSchema,
  tokenSchema,
  toolSchema,
  undoPreviewSchema,
  webhookSchema,
  webhookWithSecret,
  workersSchema,
} from "./schemas.ts";

export {
  type AccountRole,
  accountRoles,
  auditSchema,
  backlogSchema,
  brandingPreviewSchema,
  brandingSchema,
  changedImport,
  deliverySchema,
  disputeSchema,
  flag,
  importBillingSchema,
  importSchema,
  invoiceSchema,
  ledgerSchema,
  linkSchema,
  listedImport,
  next,
  overviewSchema,
  page,
  partnerSchema,
  priceBookSchema,
  queryTime,
  recordFindings,
  recordSchema,
  recordStates,
  refundSchema,
  reportSchema,
  retentionSchema,
  rulesPreviewSchema,
  sessionSchema,
  shownImport,
  shownPartner,
  shownTool,
  shownWebhook,
  signInMethods,
  sponsorRulesSchema,
  staffAreas,
  type StaffRole,
  staffRoles,
  staffSchema,
  staffTokenSchema,
  storageSchema,
  type StuckCauseCode,
  stuckSchema,
  time,
  tokenSchema,
  toolSchema,
  undoPreviewSchema,
  type WaitedFor,
  waitedFor,
  webhookSchema,
  webhookWithSecret,
  workersSchema,
} from "./schemas.ts";

/** The answers of the operator API, as the console reads them. */
export type OperatorAuditEntry = z.infer<typeof auditSchema>;
export type OperatorBacklog = z.infer<typeof backlogSchema>;
export type OperatorBrandingPreview = z.infer<typeof brandingPreviewSchema>;
export type OperatorChangedImport = z.infer<typeof changedImport>;
export type OperatorDelivery = z.infer<typeof deliverySchema>;
export type OperatorDispute = z.infer<typeof disputeSchema>;
export type OperatorImport = z.infer<typeof listedImport>;
export type OperatorImportBilling = z.infer<typeof importBillingSchema>;
export type OperatorImportDetail = z.infer<typeof shownImport>;
export type OperatorInvoice = z.infer<typeof invoiceSchema>;
export type OperatorLink = z.infer<typeof linkSchema>;
export type OperatorOverview = z.infer<typeof overviewSchema>;
export type OperatorPartner = z.infer<typeof partnerSchema>;
export type OperatorPriceBook = z.infer<typeof priceBookSchema>;
export type OperatorRecord = z.infer<typeof recordSchema>;
export type OperatorReport = z.infer<typeof reportSchema>;
export type OperatorRetention = z.infer<typeof retentionSchema>;
export type OperatorSession = z.infer<typeof sessionSchema>;
export type OperatorShownPartner = z.infer<typeof shownPartner>;
export type OperatorShownTool = z.infer<typeof shownTool>;
export type OperatorLedger = z.infer<typeof ledgerSchema>;
export type OperatorRulesPreview = z.infer<typeof rulesPreviewSchema>;
export type OperatorSponsorRules = z.infer<typeof sponsorRulesSchema>;
export type OperatorStaff = z.infer<typeof staffSchema>;
export type OperatorStaffToken = z.infer<typeof staffTokenSchema>;
export type OperatorStorage = z.infer<typeof storageSchema>;
export type OperatorStuck = z.infer<typeof stuckSchema>;
export type OperatorToken = z.infer<typeof tokenSchema>;
export type OperatorTool = z.infer<typeof toolSchema>;
export type OperatorUndoPreview = z.infer<typeof undoPreviewSchema>;
export type OperatorListedWebhook = z.infer<typeof webhookSchema>;
export type OperatorWebhook = z.infer<typeof shownWebhook>;
export type OperatorWebhookWithSecret = z.infer<typeof webhookWithSecret>;
export type OperatorWorkers = z.infer<typeof workersSchema>;
