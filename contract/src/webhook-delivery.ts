import { z } from "zod";
import { eventTypes } from "./events.ts";
import { eventIdPattern } from "./ids.ts";

const milliseconds = z.int().describe("Milliseconds since 1970.");

const attempt = z.object({
  timestamp: milliseconds,
  status: z.int().nullable().describe("What your receiver answered; null: no answer came."),
  duration_ms: z.int(),
  error: z.string().nullable().describe("A stable code; null: delivered."),
  answer: z
    .string()
    .nullable()
    .describe("The first bytes of what your receiver answered, without the token."),
});

/** The delivery of an event to the partner's receiver. */
export const webhookDelivery = z
  .object({
    event_id: z.string().regex(eventIdPattern),
    type: z.enum(eventTypes),
    id: z.string().describe("The import's id, or the simulation's; `sample_completed` of a test."),
    state: z
      .enum(["waiting", "sending", "held", "delivered", "failed"])
      .describe("`held`: an earlier event of the import has not arrived yet. `failed`: given up."),
    next_attempt: milliseconds.nullable().describe("When it is tried again; null: not planned."),
    endpoint_disabled: z
      .string()
      .optional()
      .describe(
        "Only while it waits for a disabled endpoint: since when and why. Nothing is sent until the endpoint is enabled.",
      ),
    attempts: z.array(attempt).describe("Oldest first, at most 50."),
    timestamp: milliseconds,
  })
  .meta({ id: "WebhookDelivery", description: "How an event fared on its way to your receiver." });

export type WebhookDelivery = z.infer<typeof webhookDelivery>;
