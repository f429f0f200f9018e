import { type ImportDetail, type ImportEvent, isStatusCode, type WebhookDelivery } from "@portage/contract";
import { newImportRefused, validateNewImport } from "../../../features/imports/index.ts";
import type { ToolRegistry } from "../../../features/tools/index.ts";
import { testPayload } from "../../../features/webhooks/index.ts";
import { type Answer, emptyOk, invalid, ok } from "../../answer.ts";
import { idempotencyKey } from "../idempotency-key.ts";
import { importNotFound } from "../import-not-found.ts";
import type { Call, Operation, PartnerRoute } from "../operation.ts";
import { cancelImportOperation } from "../v2.1/cancel-import.ts";
import { createImportOperation } from "../v2.1/create-import.ts";
import {
  acceptSponsorshipOperation,
  alreadyStarted,
  rejectSponsorshipOperation,
} from "../v2.1/decide-sponsorship.ts";
import { listDeliveriesOperation, readDeliveriesQuery } from "../v2.1/list-deliveries.ts";
import { listEventsOperation, readEventsQuery } from "../v2.1/list-events.ts";
import { listImportsOperation, readImportsQuery } from "../v2.1/list-imports.ts";
import { answerTools, listToolsOperation } from "../v2.1/list-tools.ts";
import { eventNotFound, replayDeliveryOperation } from "../v2.1/replay-delivery.ts";
import { showImportOperation } from "../v2.1/show-import.ts";
import { sandboxImport, sandboxToken, sandboxTools, sandboxUrl } from "./fixtures.ts";

const toEntry = ({ family: _, progress: __, warnings: ___, ...entry }: ImportDetail) => entry;

/** The sandbox's only event, with its delivery. */
const testEventId = "evt_00000000000000000000000000";
const testTime = 1_708_989_523_402;
const testEvent: ImportEvent = {
  event_id: testEventId,
  type: "webhook.test",
  ...testPayload,
  timestamp: testTime,
};
const testDelivery: WebhookDelivery = {
  event_id: testEventId,
  type: "webhook.test",
  id: testPayload.id,
  state: "delivered",
  next_attempt: null,
  attempts: [{ timestamp: testTime, status: 200, duration_ms: 84, error: null, answer: "" }],
  timestamp: testTime,
};

/** The same operations and validation as version 2.1, without writes or outbound calls; reads are static. */
export const sandboxRoutes = ({
  registry,
  publicUrl,
}: {
  registry: ToolRegistry;
  publicUrl: string;
}): readonly PartnerRoute[] => {
  const route = (operation: Operation, answer: (call: Call) => Answer): PartnerRoute => ({
    operation,
    handle: async (call) => answer(call),
  });
  const known = (importId: string) => {
    if (!isStatusCode(importId)) throw importNotFound();
    return importId;
  };
  return [
    route(listToolsOperation, ({ query }) => answerTools(sandboxTools, query)),
    route(createImportOperation, ({ partner, body, header }) => {
      idempotencyKey(header("idempotency-key"));
      const validated = validateNewImport(registry, partner, body);
      if (validated.kind === "invalid") return invalid(validated.errors);
      if (validated.value.destinationToken?.reveal() === "invalid")
        return invalid(newImportRefused({ destination: ["The destination refused this token."] }).errors);
      const id = validated.value.startFull ? "in_preparation" : "collecting_credentials";
      return { status: 201, body: { id, token: sandboxToken, redirect_url: sandboxUrl(publicUrl, id) } };
    }),
    route(listImportsOperation, ({ query }) => {
      const asked = readImportsQuery(query);
      if ("errors" in asked) return invalid(asked.errors);
      if (asked.usernames.includes("nobody@example.com")) return ok([]);
      return ok(
        (["sample_completed", "migration_completed"] as const).map((code) =>
          toEntry(sandboxImport(publicUrl, code)),
        ),
      );
    }),
    route(showImportOperation, ({ importId }) => ok(sandboxImport(publicUrl, known(importId)))),
    route(acceptSponsorshipOperation, ({ importId }) => {
      known(importId);
      return emptyOk;
    }),
    route(rejectSponsorshipOperation, ({ importId }) =>
      known(importId) === "migration_in_progress" ? invalid(alreadyStarted) : emptyOk,
    ),
    route(cancelImportOperation, ({ importId }) => {
      known(importId);
      return emptyOk;
    }),
    route(listEventsOperation, ({ query }) => {
      const asked = readEventsQuery(query);
      if ("errors" in asked) return invalid(asked.errors);
      return ok(asked.after === null ? [testEvent] : []);
    }),
    route(listDeliveriesOperation, ({ query }) => {
      const asked = readDeliveriesQuery(query);
      if ("errors" in asked) return invalid(asked.errors);
      const wanted = asked.after === null && (asked.eventId ?? testEventId) === testEventId;
      return ok(wanted ? [testDelivery] : []);
    }),
    route(replayDeliveryOperation, ({ importId: eventId }) => {
      if (eventId !== testEventId) throw eventNotFound();
      return emptyOk;
    }),
  ];
};
