import { z } from "zod";
import { subscribableTypes } from "./events.ts";

const types = z.array(z.enum(subscribableTypes)).nullable();
const time = z.iso.datetime();

const endpoint = z.object({
  url: z.string().describe("Where your events are sent."),
  event_types: types.describe("Which events; null: all."),
  ordered: z.boolean().describe("Whether the events of an import wait for each other."),
  progress: z
    .boolean()
    .describe("Whether `import.progress` is sent as well: at most once a minute while a run is under way."),
  enabled: z.boolean().describe("False: nothing is sent until it is enabled."),
  disabled_since: time.nullable(),
  disabled_because: z.string().nullable().describe("Why it is disabled, in words."),
  failing_since: time.nullable().describe("The first failed attempt since the last success."),
  old_secret_until: time.nullable().describe("During a rotation: until then the old secret signs as well."),
  created_at: time,
});

/** Where a partner's events are sent, without its secrets. */
export const webhookEndpoint = endpoint.meta({
  id: "WebhookEndpoint",
  description: "Where your events are sent.",
});

export const webhookEndpointWithSecret = endpoint
  .extend({ secret: z.string().optional().describe("A new signing secret, shown this once.") })
  .meta({ id: "WebhookEndpointWithSecret", description: "The endpoint, with its new secret if it got one." });

export const newWebhookEndpoint = z
  .object({
    url: z
      .string({ error: "must be a text" })
      .max(2048, { error: "is too long (at most 2048 characters)" })
      .nullish()
      .describe("An https address that is public, or that the operator allows."),
    event_types: z
      .array(z.enum(subscribableTypes, { error: `must be among ${subscribableTypes.join(", ")}` }), {
        error: "must be a list or null",
      })
      .min(1, { error: "must name an event; null means all" })
      .nullish()
      .describe("Which events; null: all."),
    ordered: z.boolean({ error: "must be true or false" }).nullish(),
    progress: z
      .boolean({ error: "must be true or false" })
      .nullish()
      .describe("Send `import.progress` as well. A new endpoint gets none."),
  })
  .meta({
    id: "NewWebhookEndpoint",
    description: "What you leave out stays as it is; so does null, except for `event_types`.",
  });

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;
