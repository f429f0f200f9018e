import type { z } from "zod";
import type {
  auditSchema,
  backlogSchema,
  brandingPreviewSchema,
  changedImport,
  deliverySchema,
  linkSchema,
  listedImport,
  overviewSchema,
  partnerSchema,
  shownImport,
  shownWebhook,
  stuckSchema,
  tokenSchema,
  toolSchema,
  undoPreviewSchema,
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
  flag,
  importSchema,
  linkSchema,
  listedImport,
  next,
  overviewSchema,
  page,
  partnerSchema,
  queryTime,
  reportSchema,
  sessionSchema,
  shownImport,
  shownWebhook,
  signInMethods,
  staffAreas,
  staffRoles,
  staffSchema,
  staffTokenSchema,
  type StuckCauseCode,
  type StaffRole,
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
export type OperatorImport = z.infer<typeof listedImport>;
export type OperatorImportDetail = z.infer<typeof shownImport>;
export type OperatorLink = z.infer<typeof linkSchema>;
export type OperatorOverview = z.infer<typeof overviewSchema>;
export type OperatorPartner = z.infer<typeof partnerSchema>;
export type OperatorStuck = z.infer<typeof stuckSchema>;
export type OperatorToken = z.infer<typeof tokenSchema>;
export type OperatorTool = z.infer<typeof toolSchema>;
export type OperatorUndoPreview = z.infer<typeof undoPreviewSchema>;
export type OperatorWebhook = z.infer<typeof shownWebhook>;
export type OperatorWebhookWithSecret = z.infer<typeof webhookWithSecret>;
export type OperatorWorkers = z.infer<typeof workersSchema>;
