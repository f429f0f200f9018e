export { errorBody, errorStatuses, type ErrorBody, type ErrorCode } from "./errors.ts";
export { eventTypes, type EventType, subscribableTypes } from "./events.ts";
export { families, isFamily, type Family } from "./families.ts";
export {
  base32Digits,
  eventIdPattern,
  importIdPattern,
  linkTokenPattern,
  simulationIdPattern,
} from "./ids.ts";
export {
  createdImport,
  importDetail,
  importEntry,
  newImport,
  type CreatedImport,
  type ImportDetail,
  type ImportEntry,
  type NewImport,
  type Progress,
  type Warning,
} from "./imports.ts";
export { importReport, type ImportReport } from "./import-report.ts";
export { oldLink, type OldLink } from "./old-link.ts";
export { progressEvent, type ProgressEvent } from "./progress-event.ts";
export { payers, sponsorships, type Payer, type Sponsorship } from "./sponsorship.ts";
export { isStatusCode, statusCodes, statusTexts, type StatusCode, type StatusText } from "./statuses.ts";
export { filledText, isStorableText, text } from "./text.ts";
export { isStorableTime } from "./time.ts";
export { familySchema, tool, type Tool } from "./tools.ts";
export {
  errorsByProperty,
  newImportErrorKeys,
  newImportErrors,
  validationErrors,
  type NewImportErrors,
  type ValidationErrors,
} from "./validation.ts";
export { importEvent, type ImportEvent } from "./webhook-event.ts";
export { webhookDelivery, type WebhookDelivery } from "./webhook-delivery.ts";
export {
  newWebhookEndpoint,
  webhookEndpoint,
  type WebhookEndpoint,
  webhookEndpointWithSecret,
} from "./webhook-endpoint.ts";
