import { eventIdPattern, validationErrors, type WebhookDelivery, webhookDelivery } from "@portage/contract";
import { z } from "zod";
import { type Delivery, type listDeliveries, testPayload } from "../../../features/webhooks/index.ts";
import { invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxDelivery } from "../sandbox/fixtures.ts";

const maxDeliveries = 100;
const eventId = z.string().regex(eventIdPattern);

export const listDeliveriesOperation: Operation = {
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries",
  tag: "Events",
  summary: "List webhook deliveries",
  description:
    "How your events of the last 30 days fared on their way to your receiver, newest first, with every attempt. Ask " +
    "again with `after` set to the last `event_id` until the list is empty.",
  query: [
    { name: "after", description: "The `event_id` after which to go on: older ones.", schema: eventId },
    {
      name: "limit",
      description: `How many at most; ${maxDeliveries} unless given.`,
      schema: z.int().min(1).max(maxDeliveries),
    },
    { name: "event_id", description: "Only this one.", schema: eventId },
  ],
  answers: {
    200: {
      description: "The deliveries.",
      schema: z.array(webhookDelivery),
      examples: () => ({ delivered: [sandboxDelivery], none: [] }),
    },
    422: {
      description: "A parameter is wrong.",
      schema: validationErrors,
      examples: () => ({ wrong_limit: { limit: [`must be a number from 1 to ${maxDeliveries}`] } }),
    },
  },
  sample: {
    query: { limit: "10" },
    sdk: `for await (const { event_id, state, attempts } of portage.webhookDeliveries.list())
  console.log(event_id, state, attempts.length);`,
  },
};

type DeliveriesQuery = Parameters<typeof listDeliveries>[2];

/** Parses the query, or returns its errors. The sandbox validates with it too. */
export const readDeliveriesQuery = (
  query: Query,
): DeliveriesQuery | { readonly errors: Record<string, string[]> } => {
  const errors: Record<string, string[]> = {};
  const idOf = (name: string) => {
    const text = query.get(name)?.text ?? null;
    if (text !== null && !eventIdPattern.test(text)) errors[name] = ["is not an event_id"];
    return text;
  };
  const asked = { after: idOf("after"), eventId: idOf("event_id") };
  const limit = query.get("limit")?.text ?? String(maxDeliveries);
  if (!/^([1-9]\d?|100)$/.test(limit)) errors.limit = [`must be a number from 1 to ${maxDeliveries}`];
  return Object.keys(errors).length > 0 ? { errors } : { ...asked, limit: Number(limit) };
};

const toWire = (delivery: Delivery): WebhookDelivery => ({
  event_id: delivery.eventId,
  type: delivery.type,
  id: delivery.importId ?? delivery.simulationId ?? testPayload.id,
  state: delivery.state,
  next_attempt: delivery.state === "waiting" ? (delivery.nextAttemptAt?.getTime() ?? null) : null,
  attempts: delivery.attempts.map(({ at, status, durationMs, error, answer }) => ({
    timestamp: at.getTime(),
    status,
    duration_ms: durationMs,
    error,
    answer,
  })),
  timestamp: delivery.createdAt.getTime(),
});

export const listDeliveriesRoute = (
  list: (partnerId: string, asked: DeliveriesQuery) => Promise<readonly Delivery[]>,
): PartnerRoute => ({
  operation: listDeliveriesOperation,
  handle: async ({ partner, query }) => {
    const asked = readDeliveriesQuery(query);
    return "errors" in asked ? invalid(asked.errors) : ok((await list(partner.id, asked)).map(toWire));
  },
});
