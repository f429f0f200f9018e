import { type ImportEvent, simulationIdPattern, statusTexts } from "@portage/contract";
import type { Counted } from "../imports/index.ts";
import type { LoadImportSummaries } from "../runs/index.ts";
import type { EventRecord } from "./store.ts";

const eventBody = (event: EventRecord, { items, people }: Counted, timestamp: number): ImportEvent => ({
  event_id: event.id,
  type: event.type,
  id: event.importId,
  token: event.linkToken.reveal(),
  status_code: event.status,
  status: statusTexts[event.status],
  previous_status: event.previousStatus && statusTexts[event.previousStatus],
  family: event.family,
  reference: event.reference,
  items: { ...items },
  users: { source_tool: people.source, destination_tool: people.destination, matched: people.matched },
  ...(event.reason !== null && { reason: event.reason }),
  ...(simulationIdPattern.test(event.importId) && { test: true as const }),
  timestamp,
});

export interface EventWithBody {
  readonly event: EventRecord;
  /** The body for partners: the same at every time, but for the timestamp and the token of the current link. */
  bodyAt(timestamp: number): ImportEvent;
}

/** The bodies of events. One that was written before events kept their figures has the current ones. */
export const loadEventBodies = async (
  events: readonly EventRecord[],
  load: LoadImportSummaries,
): Promise<readonly EventWithBody[]> => {
  const imports = new Map(
    events
      .filter(({ figures }) => figures === null)
      .map((event) => [event.importId, { ...event, id: event.importId }]),
  );
  const current = await load([...imports.values()]);
  return events.map((event) => ({
    event,
    bodyAt: (timestamp) => eventBody(event, event.figures ?? current(event.importId), timestamp),
  }));
};
