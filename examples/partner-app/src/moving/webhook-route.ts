import { verifyWebhook, WebhookError } from "@portage/sdk";
import type { FastifyInstance } from "fastify";
import { applyEvent } from "../store/store-moves.ts";
import type { MovingNeeds } from "./moving.ts";

/** Receives Portage's webhooks. */
export const webhookRoute =
  ({ store, webhookSecrets, changes, now }: MovingNeeds) =>
  async (app: FastifyInstance) => {
    // The signature covers the raw bytes, so no parser may touch them before.
    app.removeContentTypeParser("application/json");
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    app.post<{ Body: Buffer }>("/webhooks/portage", async (request, reply) => {
      try {
        const { event } = await verifyWebhook({
          body: request.body,
          headers: request.headers,
          secrets: webhookSecrets,
          now: now(),
        });
        const changed = applyEvent(store, event);
        if (changed !== null) changes.tell(changed);
        return await reply.code(204).send();
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        return reply.code(400).send({ error: error.reason });
      }
    });
  };
