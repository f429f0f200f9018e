import { eventIdPattern, validationErrors } from "@portage/contract";
import { disabledTexts, type Replayed } from "../../../features/webhooks/index.ts";
import { emptyOk, invalid, Problem } from "../../answer.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxEventId } from "../sandbox/fixtures.ts";

export const eventNotFound = (): Problem =>
  new Problem("not_found", "There is no such event of yours in the last 30 days.");

const noAddress = { base: ["There is no address for your webhooks."] };

const disabledEndpoint = (text: string) => ({
  base: [
    `Your webhook endpoint is ${text}. Repair the receiver, then enable the endpoint ` +
      "(POST /webhook-endpoint/enable), and replay the event.",
  ],
});

export const replayDeliveryOperation: Operation = {
  id: "replayWebhookDelivery",
  method: "POST",
  path: "/webhook-deliveries/:id/replay",
  idOf: "The event's id.",
  tag: "Events",
  summary: "Send an event again",
  description:
    "Has the event sent to your receiver once more, or now if it waits for its next attempt. One that is being sent, or " +
    "held back by an earlier event of its import, goes out anyhow: the answer is the same. A body is ignored.",
  answers: {
    200: { description: "It will be sent; the body is empty." },
    404: { description: "No such event of yours in the last 30 days.", problem: eventNotFound() },
    422: {
      description:
        "You have no address for webhooks, or it is disabled: `base` says since when, why, and how to enable it. " +
        "Nothing is queued.",
      schema: validationErrors,
      examples: () => ({
        no_address: noAddress,
        disabled: disabledEndpoint(`disabled since 2026-11-15T08:00:00.000Z: ${disabledTexts.gone}`),
      }),
    },
  },
  sample: {
    id: sandboxEventId,
    sdk: `await portage.webhookDeliveries.replay("${sandboxEventId}");`,
  },
};

export const replayDelivery = (
  replay: (partnerId: string, eventId: string) => Promise<Replayed>,
): PartnerRoute => ({
  operation: replayDeliveryOperation,
  handle: async ({ partner, importId: eventId }) => {
    // Skip the query for a malformed id: PostgreSQL rejects some texts.
    if (!eventIdPattern.test(eventId)) throw eventNotFound();
    const replayed = await replay(partner.id, eventId);
    switch (replayed.kind) {
      case "missing":
        throw eventNotFound();
      case "no_target":
        return invalid(noAddress);
      case "disabled":
        return invalid(disabledEndpoint(replayed.text));
      case "replayed":
      case "under_way":
        return emptyOk;
    }
  },
});
