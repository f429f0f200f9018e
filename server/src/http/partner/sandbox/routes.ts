import { isStatusCode } from "@portage/contract";
import { newImportRefused, validateNewImport } from "../../../features/imports/index.ts";
import type { ToolRegistry } from "../../../features/tools/index.ts";
import { addressPredicate } from "../../../features/webhooks/index.ts";
import { checkTargetText, OutboundError } from "../../../platform/outbound/index.ts";
import { type Answer, emptyOk, invalid, ok } from "../../answer.ts";
import { idempotencyKey } from "../../idempotency-key.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
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
import { listOldLinksOperation, readOldLinksQuery } from "../v2.1/list-old-links.ts";
import { answerTools, listToolsOperation } from "../v2.1/list-tools.ts";
import { reissueLinkOperation } from "../v2.1/reissue-link.ts";
import { eventNotFound, replayDeliveryOperation } from "../v2.1/replay-delivery.ts";
import { showImportOperation } from "../v2.1/show-import.ts";
import { reportNotReady, showReportOperation, showSummaryOperation } from "../v2.1/show-report.ts";
import {
  enableEndpointOperation,
  readNewEndpoint,
  readRotation,
  rotateSecretOperation,
  setEndpointOperation,
  showEndpointOperation,
  testEndpointOperation,
} from "../v2.1/webhook-endpoint.ts";
import {
  sandboxCreated,
  sandboxDeliveries,
  sandboxEndpoint,
  sandboxEntries,
  sandboxEvent,
  sandboxImport,
  sandboxOldLinks,
  sandboxReport,
  sandboxSecret,
  sandboxSummary,
  sandboxTestId,
  sandboxTools,
} from "./fixtures.ts";

/** The same operations and validation as version 2.1, without writes or outbound calls; reads are static. */
export const sandboxRoutes = ({
  registry,
  publicUrl,
  webhookAllow,
}: {
  registry: ToolRegistry;
  publicUrl: string;
  webhookAllow: readonly string[];
}): readonly PartnerRoute[] => {
  const route = (operation: Operation, answer: (call: Call) => Answer): PartnerRoute => ({
    operation,
    handle: async (call) => answer(call),
  });
  const known = (importId: string) => {
    if (!isStatusCode(importId)) throw ownImportNotFound();
    return importId;
  };
  const reported = <T>(found: T | undefined): T => {
    if (found === undefined) throw reportNotReady();
    return found;
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
      return { status: 201, body: sandboxCreated(publicUrl, id) };
    }),
    route(listImportsOperation, ({ query }) => {
      const asked = readImportsQuery(query);
      if ("errors" in asked) return invalid(asked.errors);
      return ok(sandboxEntries(publicUrl, asked.filter));
    }),
    route(showImportOperation, ({ importId }) => ok(sandboxImport(publicUrl, known(importId)))),
    route(listOldLinksOperation, ({ importId, query }) => {
      const asked = readOldLinksQuery(query);
      if ("errors" in asked) return invalid(asked.errors);
      if (known(importId) !== "migration_completed" || asked.from !== null) return ok([]);
      const { addresses } = asked;
      const isMeant = (link: (typeof sandboxOldLinks)[number]) =>
        [link.old_address, `${link.stream}/${link.old_id}`, link.old_id, `#${link.old_id}`].some(
          (each) => each !== null && addresses?.includes(each),
        );
      return ok(addresses === null ? sandboxOldLinks : sandboxOldLinks.filter(isMeant));
    }),
    route(showReportOperation, ({ importId }) => ok(reported(sandboxReport(known(importId))))),
    route(showSummaryOperation, ({ importId }) => ok(reported(sandboxSummary(known(importId))))),
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
      return ok(asked.after === null ? [sandboxEvent] : []);
    }),
    route(listDeliveriesOperation, ({ query }) => {
      const asked = readDeliveriesQuery(query);
      if ("errors" in asked) return invalid(asked.errors);
      const { after, eventId, limit } = asked;
      const from = after === null ? 0 : sandboxDeliveries.findIndex(({ event_id }) => event_id === after) + 1;
      const older = after !== null && from === 0 ? [] : sandboxDeliveries.slice(from);
      return ok(older.filter(({ event_id }) => eventId === null || event_id === eventId).slice(0, limit));
    }),
    route(reissueLinkOperation, ({ importId }) => ok(sandboxCreated(publicUrl, known(importId)))),
    route(showEndpointOperation, () => ok(sandboxEndpoint)),
    route(setEndpointOperation, ({ body }) => {
      const read = readNewEndpoint(body);
      if (read.errors) return invalid(read.errors);
      const { url = sandboxEndpoint.url, eventTypes = null, ordered = true, progress = false } = read.wanted;
      try {
        checkTargetText(url, { allow: webhookAllow });
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return invalid({ url: [addressPredicate(error)] });
      }
      return ok({ ...sandboxEndpoint, url, event_types: eventTypes, ordered, progress });
    }),
    route(testEndpointOperation, () => ok({ event_id: sandboxTestId })),
    route(rotateSecretOperation, ({ body }) => {
      const read = readRotation(body);
      return read.errors ? invalid(read.errors) : ok({ ...sandboxEndpoint, secret: sandboxSecret });
    }),
    route(enableEndpointOperation, () => ok(sandboxEndpoint)),
    route(replayDeliveryOperation, ({ importId: eventId }) => {
      if (!sandboxDeliveries.some(({ event_id }) => event_id === eventId)) throw eventNotFound();
      return emptyOk;
    }),
  ];
};
