import type { DeliveryRef } from "../features/webhooks/index.ts";

export const deliveryService = "Delivery";
export const deliveryHandler = "retry";

/** Restate answers a repeated idempotency key with the old result, so each attempt has its own generation. */
export const deliveryKey = ({ eventId, generation }: DeliveryRef): string => `${eventId}:${generation}`;

/** Only these fields are sent, because Restate stores them. */
export const deliveryRef = ({ eventId, generation }: DeliveryRef): DeliveryRef => ({ eventId, generation });
