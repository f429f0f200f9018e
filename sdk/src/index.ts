export type { EventOf, EventType, PortageEvent } from "./events.ts";
export type { Listing } from "./listing.ts";
export {
  createPortage,
  type CreateOptions,
  type ImportFilters,
  type Mode,
  type Portage,
  type PortageOptions,
} from "./portage.ts";
export { PortageError, type ErrorCode } from "./portage-error.ts";
export type { CallOptions } from "./requester.ts";
export {
  verifyWebhook,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookMessage,
} from "./verify-webhook.ts";
export { WebhookError, type WebhookRefusal } from "./webhook-error.ts";
export type { WebhookScheme } from "./webhook-signatures.ts";
export type {
  CreatedImport,
  Family,
  Import,
  ImportEntry,
  NewImport,
  NewWebhookEndpoint,
  OldLink,
  Progress,
  Report,
  SignedSummary,
  Status,
  StatusCode,
  Tool,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  ValidationErrors,
  Warning,
} from "./wire.ts";
