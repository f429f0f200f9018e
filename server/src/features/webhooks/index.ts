/**
 * Delivers partner events as signed webhooks, at least once. Entry points: `createWebhooks` (the engine calls
 * `takeDue`, `deliver` and `retry`), `checkAddress`, `setTarget`, `saveTarget`, `rotateSecret`, `replayEvent`, `replayRange`, `writeTestEvent`,
 * `listDeliveries`, `createProgressSender` (progress of live runs: best effort, not stored).
 * Invariants: all state is in PostgreSQL; taking a delivery raises its generation, and a result of an older generation
 * changes nothing (store-take.ts, store-settle.ts). An ordered lane has one open delivery that is not held, and
 * `releaseLanes` frees the next. The limit of concurrent calls to a partner holds over all workers (store-take.ts).
 * Secrets are sealed, and stored answers never contain the import's token (cut-answer.ts). 410, or days without a
 * success, disable a target (`noteHealth`); an attempt counts only for the address and the enabling that it was sent to (`health_epoch`).
 */
export { type AddressRules, checkAddress } from "./check-address.ts";
export { createWebhooks, type Webhooks } from "./create-webhooks.ts";
export type { Delivery, DeliveryRef, DeliveryToSend } from "./delivery.ts";
export { addressPredicate, deliveryErrorTexts } from "./error-texts.ts";
export type { Taken } from "./load-messages.ts";
export { newWebhookSecret, readWebhookSecret } from "./secrets.ts";
export { createProgressSender, type ProgressSender } from "./send-progress.ts";
export { type DisabledNotice, settleDisabledNotice, takeDisabledNotices } from "./store-notices.ts";
export { countOpen, deleteOldDeliveries, deliveriesKeptDays, listDeliveries } from "./store-log.ts";
export { type Replayed, replayEvent, replayRange } from "./store-replay.ts";
export {
  disableTarget,
  enableTarget,
  findTarget,
  holdTarget,
  listTargets,
  rotateSecret,
  saveTarget,
  webhookSecrets,
} from "./store-targets.ts";
export {
  disabledText,
  disabledTexts,
  targetWarning,
  type WebhookTarget,
} from "./target.ts";
export { setTarget } from "./set-target.ts";
export { testPayload, writeTestEvent } from "./test-event.ts";
export { secretOverlapMs, webhookTimes } from "./times.ts";
