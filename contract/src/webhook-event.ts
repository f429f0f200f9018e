import { z } from "zod";
import { eventTypes } from "./events.ts";
import { eventIdPattern } from "./ids.ts";
import { importDetail, tokenOrEmpty } from "./imports.ts";
import { statusCodes } from "./statuses.ts";

const { id, status, family, reference, items, users } = importDetail.shape;

/** An event as webhooks and `GET /events` deliver it. */
export const importEvent = z
  .object({
    event_id: z.string().regex(eventIdPattern),
    type: z.enum(eventTypes),
    id,
    token: tokenOrEmpty,
    status_code: z.enum(statusCodes),
    status,
    previous_status: status.nullable().describe("Only of a change of status."),
    family,
    reference,
    items,
    users,
    test: z.literal(true).optional().describe("Only of a simulation, and always there."),
    timestamp: z.int().describe("Milliseconds. In a webhook: of this attempt; in a list: of the event."),
  })
  .meta({ id: "Event", description: "Something that happened to an import." });

export type ImportEvent = z.infer<typeof importEvent>;
