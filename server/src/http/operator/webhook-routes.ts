import { subscribableTypes } from "@portage/contract";
import {
  backlogSchema,
  deliverySchema,
  flag,
  next,
  page,
  queryTime,
  shownWebhook,
  webhookSchema,
  webhookWithSecret,
} from "@portage/contract/operator";
import { z } from "zod";
import { listBacklog } from "../../features/operations/index.ts";
import {
  type AddressRules,
  checkAddress,
  countOpen,
  disabledText,
  disableTarget,
  enableTarget,
  findTarget,
  holdTarget,
  listDeliveries,
  listTargets,
  newWebhookSecret,
  readWebhookSecret,
  replayEvent,
  replayRange,
  rotateSecret,
  secretOverlapMs,
  setTarget,
  type WebhookTarget,
  writeTestEvent,
} from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Problem } from "../answer.ts";
import { knownPartner } from "./find.ts";
import { InvalidInput } from "./invalid-input.ts";
import { operatorRoute, type OperatorOperation, type OperatorRoute, preparedRoute } from "./operation.ts";
import { pageOf } from "../../platform/page-of.ts";
import { backlogJson, deliveryJson, targetJson } from "./represent.ts";

export interface WebhookRoutesNeeds extends AddressRules {
  readonly sealer: Sealer;
}

const knownTarget = async (db: Database, id: string): Promise<WebhookTarget> => {
  await knownPartner(db, id);
  const target = await findTarget(db, id);
  if (!target) throw new Problem("not_found", "This partner has no webhook endpoint.");
  return target;
};

/** The target as no other request changes it until this one has ended. */
const heldTarget = async (db: Database, id: string): Promise<WebhookTarget> =>
  (await holdTarget(db, id)) ?? knownTarget(db, id);

/** Of a disabled endpoint nothing is sent: a test or a replay would wait without a word. */
const enabledTarget = async (db: Database, id: string): Promise<WebhookTarget> => {
  const target = await knownTarget(db, id);
  const text = disabledText(target);
  if (text !== null) throw new Problem("conflict", `The endpoint is ${text}.`);
  return target;
};

const show = async (db: Database, id: string) => ({
  ...targetJson(await knownTarget(db, id)),
  ...(await countOpen(db, id)),
});

const onTarget = (
  operation: Pick<OperatorOperation, "id" | "summary" | "description" | "conflict" | "partner"> & {
    readonly name: string;
  },
): OperatorOperation => {
  const { name, ...rest } = operation;
  return {
    ...rest,
    method: "POST",
    path: `/partners/:id/webhook/${name}`,
    area: "webhooks",
    role: "operator",
    answer: shownWebhook,
  };
};

const setEnabled = (enabled: boolean): OperatorRoute =>
  operatorRoute(
    onTarget({
      id: enabled ? "enableWebhook" : "disableWebhook",
      ...(enabled && { partner: true, conflict: "A partner's person called, and the operator disabled it." }),
      name: enabled ? "enable" : "disable",
      summary: enabled ? "Resume deliveries" : "Pause deliveries",
      description: enabled
        ? "Waiting events are sent; abandoned ones only if you replay them. Safe to repeat."
        : "Events wait until it is enabled. Safe to repeat.",
    }),
    async ({ db, params, session }) => {
      const { id = "" } = params;
      const before = await heldTarget(db, id);
      if (session.partnerId !== null && before.disabledBecause === "operator")
        throw new Problem("conflict", "The operator disabled this endpoint: ask the operator to enable it.");
      const by = session.partnerId === null ? "operator" : "partner";
      await (enabled ? enableTarget(db, id, by) : disableTarget(db, id, "operator"));
      const after = await show(db, id);
      return { body: after, target: { kind: "webhook", id }, before: targetJson(before), after };
    },
  );

/** Null: the receiver has none yet. */
const givenSecret = (text: string | undefined) => {
  if (text === undefined) return null;
  const given = readWebhookSecret(text);
  if (given.kind === "refused") throw new InvalidInput({ secret: [`is no secret: ${given.why}`] });
  return given.secret;
};

const secretBody = z.string().optional().describe("One that the receiver already has; it is not shown.");

export const webhookRoutes = (needs: WebhookRoutesNeeds): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "showWebhookBacklog",
      method: "GET",
      path: "/webhooks/backlog",
      area: "webhooks",
      role: "viewer",
      summary: "Show how far webhooks are behind",
      description: "Every partner with open deliveries, the one that has waited longest first.",
      query: z.object({
        behind: flag
          .optional()
          .describe(
            "True: only those that are behind, with a delivery that has been due for more than a minute, or an endpoint that fails " +
              "or is disabled.",
          ),
        ...page,
      }),
      answer: z.object({ partners: z.array(backlogSchema) }),
    },
    async ({ db, query: { behind = false, limit } }) => ({
      body: { partners: (await listBacklog(db, { behind, limit })).map(backlogJson) },
    }),
  ),
  operatorRoute(
    {
      id: "listWebhooks",
      method: "GET",
      path: "/webhooks",
      area: "webhooks",
      role: "viewer",
      summary: "List endpoints",
      description: "By partner. Go on with `after` = `next`.",
      query: z.object({ after: z.string().optional(), ...page }),
      answer: z.object({ webhooks: z.array(webhookSchema), next: next("after") }),
    },
    async ({ db, query: { after, limit } }) => {
      const found = await listTargets(db, { after, limit: limit + 1 });
      const { rows, next: goOn } = pageOf(found, limit, ({ partnerId }) => partnerId);
      return { body: { webhooks: rows.map(targetJson), next: goOn } };
    },
  ),
  operatorRoute(
    {
      id: "showWebhook",
      method: "GET",
      path: "/partners/:id/webhook",
      area: "webhooks",
      role: "viewer",
      partner: true,
      summary: "Show a partner's endpoint",
      description: "Its settings and health, and how many deliveries are open.",
      answer: shownWebhook,
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      return { body: await show(db, id), target: { kind: "webhook", id } };
    },
  ),
  operatorRoute(
    {
      id: "listDeliveries",
      method: "GET",
      path: "/partners/:id/webhook/deliveries",
      area: "webhooks",
      role: "viewer",
      partner: true,
      summary: "List a partner's deliveries",
      description:
        "Of the last 30 days, newest first, with their attempts. Go on with `after` = `next`, the last `event_id`.",
      query: z.object({
        after: z.string().optional(),
        event_id: z.string().optional(),
        import_id: z.string().optional(),
        ...page,
      }),
      answer: z.object({ deliveries: z.array(deliverySchema), next: next("after") }),
    },
    async ({ db, params, query }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const asked = {
        after: query.after ?? null,
        limit: query.limit + 1,
        eventId: query.event_id ?? null,
        importId: query.import_id ?? null,
      };
      const found = await listDeliveries(db, id, asked);
      const { rows, next: goOn } = pageOf(found, query.limit, ({ eventId }) => eventId);
      return {
        body: { deliveries: rows.map(deliveryJson), next: goOn },
        target: { kind: "webhook", id },
      };
    },
  ),
  preparedRoute(
    {
      id: "setWebhook",
      method: "PUT",
      path: "/partners/:id/webhook",
      area: "webhooks",
      role: "admin",
      partner: true,
      summary: "Set a partner's endpoint",
      description:
        "A setting that you leave out stays as it is. A new endpoint gets a signing secret, shown this once. A new address is " +
        "enabled, unless the operator disabled the endpoint.",
      body: z.object({
        url: z.string().max(2048).optional(),
        events: z.array(z.enum(subscribableTypes)).min(1).nullable().optional().describe("Null: all."),
        ordered: z.boolean().optional(),
        progress: z.boolean().optional().describe("Whether `import.progress` is sent as well."),
        secret: secretBody,
      }),
      answer: webhookWithSecret,
    },
    async ({ db, params, body: { url } }) => {
      await knownPartner(db, params["id"] ?? "");
      const address = await checkAddress(url, needs);
      if (address.kind === "refused") throw new InvalidInput({ url: [address.predicate] });
      return address;
    },
    async ({ db, params, body }, address) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const { events: eventTypes, ordered, progress } = body;
      const wanted = { eventTypes, ordered, progress };
      const { sealer } = needs;
      const set = await setTarget({ db, sealer }, id, address, wanted, givenSecret(body.secret));
      if (set.kind === "no_address")
        throw new InvalidInput({ url: ["can't be blank: the partner has no endpoint yet"] });
      const { before, secret } = set;
      const after = await show(db, id);
      return {
        body: { ...after, ...(secret && { secret: secret.reveal() }) },
        target: { kind: "webhook", id },
        before: before ? targetJson(before) : null,
        after,
      };
    },
  ),
  operatorRoute(
    {
      id: "rotateWebhookSecret",
      method: "POST",
      path: "/partners/:id/webhook/rotate",
      area: "webhooks",
      role: "admin",
      partner: true,
      summary: "Rotate the signing secret",
      description: "The old one also signs for 24 hours, unless it leaked: then send `immediately`.",
      body: z.object({ immediately: z.boolean().default(false), secret: secretBody }),
      answer: webhookWithSecret,
      conflict: "The previous rotation has not ended: two secrets are active.",
    },
    async ({ db, params, body }) => {
      const { id = "" } = params;
      const before = await heldTarget(db, id);
      const given = givenSecret(body.secret);
      const secret = given ?? newWebhookSecret();
      const overlapMs = body.immediately ? 0 : secretOverlapMs;
      if ((await rotateSecret(db, needs.sealer, id, secret, overlapMs)) === "under_way")
        throw new Problem("conflict", "The previous rotation has not ended: wait, or send `immediately`.");
      const after = await show(db, id);
      return {
        body: { ...after, ...(!given && { secret: secret.reveal() }) },
        target: { kind: "webhook", id },
        before: targetJson(before),
        after,
      };
    },
  ),
  setEnabled(true),
  setEnabled(false),
  operatorRoute(
    {
      ...onTarget({
        id: "testWebhook",
        partner: true,
        name: "test",
        summary: "Send a test event",
        description: "Queues `webhook.test`; its delivery says what came back.",
        conflict: "The endpoint is disabled.",
      }),
      answer: z.object({ event_id: z.string() }),
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      await enabledTarget(db, id);
      const eventId = await writeTestEvent(db, id);
      return { body: { event_id: eventId }, target: { kind: "webhook", id }, after: { event_id: eventId } };
    },
  ),
  operatorRoute(
    {
      ...onTarget({
        id: "replayEvent",
        partner: true,
        name: "replay",
        summary: "Replay one event",
        description: "Sends it again, or now if it waits for its next attempt. Safe to repeat.",
        conflict: "The endpoint is disabled.",
      }),
      body: z.object({ event_id: z.string() }),
      answer: z.object({ event_id: z.string(), state: z.enum(["replayed", "under_way"]) }),
    },
    async ({ db, params, body }) => {
      const { id = "" } = params;
      await enabledTarget(db, id);
      const { kind } = await replayEvent(db, id, body.event_id);
      if (kind !== "replayed" && kind !== "under_way")
        throw new Problem("not_found", "There is no such event of this partner.");
      const done = { event_id: body.event_id, state: kind };
      return { body: done, target: { kind: "webhook", id }, after: done };
    },
  ),
  operatorRoute(
    {
      ...onTarget({
        id: "replayEvents",
        partner: true,
        name: "replay-range",
        summary: "Replay the events of a period",
        description:
          "In order per import, apart from new events. Those under way are left alone, so that a repeat sends none of them twice.",
        conflict: "The endpoint is disabled.",
      }),
      body: z.object({
        since: queryTime,
        until: queryTime.optional(),
        undelivered: z.boolean().default(true).describe("Only those that never arrived."),
      }),
      answer: z.object({ replayed: z.int() }),
    },
    async ({ db, params, body }) => {
      const { id = "" } = params;
      await enabledTarget(db, id);
      const { since, until = new Date(Date.now() + 1), undelivered } = body;
      const replayed = await replayRange(db, id, { since, until, undelivered });
      return {
        body: { replayed },
        target: { kind: "webhook", id },
        after: { since, until, undelivered, replayed },
      };
    },
  ),
];
