import { type ImportEvent, simulationIdPattern, statusTexts } from "@portage/contract";
import type { Counted } from "../imports/index.ts";
import type { EventRecord } from "./store.ts";

/** The body of an event for partners. It has the current counts: each webhook attempt builds its body anew. */
export const eventBody = (event: EventRecord, shown: Counted, timestamp: number): ImportEvent => ({
  event_id: event.id,
  type: event.type,
  id: event.importId,
  token: event.linkToken.reveal(),
  status_code: event.status,
  status: statusTexts[event.status],
  previous_status: event.previousStatus && statusTexts[event.previousStatus],
  family: event.family,
  reference: event.reference,
  items: { ...shown.items },
  users: {
    source_tool: shown.people.source,
    destination_tool: shown.people.destination,
    matched: shown.people.matched,
  },
  ...(simulationIdPattern.test(event.importId) && { test: true as const }),
  timestamp,
});
