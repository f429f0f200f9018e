import { eventIdPattern, importEvent, validationErrors } from "@portage/contract";
import { z } from "zod";
import { type EventRecord, loadEventBodies } from "../../../features/events/index.ts";
import type { LoadImportSummaries } from "../../../features/runs/index.ts";
import { invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxEvent } from "../sandbox/fixtures.ts";

const maxEvents = 100;

export const listEventsOperation: Operation = {
  id: "listEvents",
  method: "GET",
  path: "/events",
  tag: "Events",
  summary: "List events",
  description:
    "Your events of the last 30 days, oldest first, to catch up after your webhook receiver was away. Ask again with " +
    "`after` set to the last `event_id` until the list is empty.",
  query: [
    {
      name: "after",
      description:
        "The last `event_id` of this list that you have. One of `import.progress` or of a simulation is never in it: 422.",
      schema: z.string().regex(eventIdPattern),
    },
    {
      name: "limit",
      description: `How many at most; ${maxEvents} unless given.`,
      schema: z.int().min(1).max(maxEvents),
    },
  ],
  answers: {
    200: {
      description: "The events.",
      schema: z.array(importEvent),
      examples: () => ({ one_event: [sandboxEvent], none: [] }),
    },
    422: {
      description: "A parameter is wrong.",
      schema: validationErrors,
      examples: () => ({ wrong_after: { after: ["is not an event_id"] } }),
    },
  },
  sample: {
    query: { limit: "10" },
    sdk: `for await (const { event_id, type, status } of portage.events.list())
  console.log(event_id, type, status);`,
  },
};

/** Parses the query, or returns its errors. The sandbox validates with it too. */
export const readEventsQuery = (
  query: Query,
):
  | { readonly after: string | null; readonly limit: number }
  | { readonly errors: Record<string, string[]> } => {
  const errors: Record<string, string[]> = {};
  const after = query.get("after")?.text ?? null;
  if (after !== null && !eventIdPattern.test(after)) errors.after = ["is not an event_id"];
  const limit = query.get("limit")?.text ?? String(maxEvents);
  if (!/^([1-9]\d?|100)$/.test(limit)) errors.limit = [`must be a number from 1 to ${maxEvents}`];
  return Object.keys(errors).length > 0 ? { errors } : { after, limit: Number(limit) };
};

interface Needs {
  readonly listEvents: (
    partnerId: string,
    page: { after: string | null; limit: number },
  ) => Promise<readonly EventRecord[] | "unknown_event">;
  readonly loadSummaries: LoadImportSummaries;
}

export const listEventsRoute = ({ listEvents: list, loadSummaries }: Needs): PartnerRoute => ({
  operation: listEventsOperation,
  handle: async ({ partner, query }) => {
    const asked = readEventsQuery(query);
    if ("errors" in asked) return invalid(asked.errors);
    const found = await list(partner.id, asked);
    if (found === "unknown_event")
      return invalid({ after: ["is not an event of yours in the last 30 days"] });
    const events = await loadEventBodies(found, loadSummaries);
    return ok(events.map(({ event, bodyAt }) => bodyAt(event.createdAt.getTime())));
  },
});
