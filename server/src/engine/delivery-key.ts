import type { DeliveryRef } from "../features/webhooks/index.ts";

export const deliveryService = "Delivery";
export const deliveryHandler = "retry";

/** Restate answers a repeated key with the old result, so each attempt has a generation of its own. */
export const deliveryKey = ({ eventId, generation }: DeliveryRef): string => `${eventId}:${generation}`;

/** What is sent, and no more: it is kept in Restate. */
export const deliveryRef = ({ eventId, generation }: DeliveryRef): DeliveryRef => ({ eventId, generation });
