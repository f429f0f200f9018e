import { eventIdPattern, validationErrors, type WebhookDelivery, webhookDelivery } from "@portage/contract";
import { z } from "zod";
import {
  type Delivery,
  disabledText,
  disabledTexts,
  type listDeliveries,
  testPayload,
  type WebhookTarget,
} from "../../../features/webhooks/index.ts";
import { invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxDeliveries } from "../sandbox/fixtures.ts";

const maxDeliveries = 100;

const [, sandboxDelivery] = sandboxDeliveries;

const waitingDelivery: WebhookDelivery = {
  ...sandboxDelivery,
  state: "waiting",
  endpoint_disabled: `disabled since 2026-11-15T08:00:00.000Z: ${disabledTexts.gone}`,
  attempts: sandboxDelivery.attempts.map((attempt) => ({ ...attempt, status: 410, error: "gone" })),
};
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
      examples: () => ({ delivered: sandboxDeliveries, disabled: [waitingDelivery], none: [] }),
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

const waits: ReadonlySet<Delivery["state"]> = new Set(["waiting", "held"]);

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

/** `disabled`: since when and why the endpoint is disabled; null: it is not. */
const toWire = (delivery: Delivery, disabled: string | null): WebhookDelivery => ({
  event_id: delivery.eventId,
  type: delivery.type,
  id: delivery.importId ?? delivery.simulationId ?? testPayload.id,
  state: delivery.state,
  next_attempt:
    delivery.state === "waiting" && disabled === null ? (delivery.nextAttemptAt?.getTime() ?? null) : null,
  ...(disabled !== null && waits.has(delivery.state) && { endpoint_disabled: disabled }),
  attempts: delivery.attempts.map(({ at, status, durationMs, error, answer }) => ({
    timestamp: at.getTime(),
    status,
    duration_ms: durationMs,
    error,
    answer,
  })),
  timestamp: delivery.createdAt.getTime(),
});

interface Needs {
  readonly list: (partnerId: string, asked: DeliveriesQuery) => Promise<readonly Delivery[]>;
  /** Undefined: the partner has no endpoint. */
  readonly findTarget: (partnerId: string) => Promise<WebhookTarget | undefined>;
}

export const listDeliveriesRoute = ({ list, findTarget }: Needs): PartnerRoute => ({
  operation: listDeliveriesOperation,
  handle: async ({ partner, query }) => {
    const asked = readDeliveriesQuery(query);
    if ("errors" in asked) return invalid(asked.errors);
    const deliveries = await list(partner.id, asked);
    const target = await findTarget(partner.id);
    const disabled = target ? disabledText(target) : null;
    return ok(deliveries.map((delivery) => toWire(delivery, disabled)));
  },
});
