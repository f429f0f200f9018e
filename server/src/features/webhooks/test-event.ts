import { type ImportEvent, statusTexts } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import { writeNotice } from "../event-outbox/index.ts";

/** The payload of a test event: the sandbox's import of this status. */
export const testPayload: Omit<ImportEvent, "event_id" | "type" | "timestamp"> = {
  id: "sample_completed",
  token: "5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c",
  status_code: "sample_completed",
  status: statusTexts.sample_completed,
  previous_status: null,
  family: "helpdesk",
  reference: null,
  items: { tickets: 20, contacts: 17 },
  users: { source_tool: 5, destination_tool: 4, matched: 3 },
};

/** Writes a test event for the partner's target; returns the event's id. */
export const writeTestEvent = (db: Database, partnerId: string): Promise<string> =>
  db.sql.transaction().execute((tx) =>
    writeNotice(tx, {
      partnerId,
      type: "webhook.test",
      status: "sample_completed",
      previousStatus: null,
      payload: testPayload,
    }),
  );
