export { createWebhooks, type Webhooks } from "./create-webhooks.ts";
export type { Delivery, DeliveryRef, DeliveryToSend } from "./delivery.ts";
export { deliveryErrorTexts } from "./error-texts.ts";
export type { Taken } from "./load-messages.ts";
export { newWebhookSecret, readWebhookSecret } from "./secrets.ts";
export { countOpen, deleteOldDeliveries, deliveriesKeptDays, listDeliveries } from "./store-log.ts";
export { type Replayed, replayEvent, replayRange } from "./store-replay.ts";
export {
  disableTarget,
  enableTarget,
  findTarget,
  listTargets,
  rotateSecret,
  saveTarget,
  webhookSecrets,
} from "./store-targets.ts";
export { disabledTexts, targetWarning, type WebhookTarget } from "./target.ts";
export { testPayload, writeTestEvent } from "./test-event.ts";
export { webhookTimes } from "./times.ts";
