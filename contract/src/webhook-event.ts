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
    items: items.describe(
      "Records in the destination because of this import, by stream, when the event happened.",
    ),
    users: users.describe("People found on each side, and how many were matched, when the event happened."),
    reason: z
      .string()
      .optional()
      .describe(
        "Only of `import.closed`: who or what closed it. `partner`: you; `operator`; `customer`; `idle`: nothing happened for as long as the operator set. There may be others.",
      ),
    test: z.literal(true).optional().describe("Only of a simulation, and always there."),
    timestamp: z.int().describe("Milliseconds. In a webhook: of this attempt; in a list: of the event."),
  })
  .meta({ id: "Event", description: "Something that happened to an import." });

export type ImportEvent = z.infer<typeof importEvent>;
