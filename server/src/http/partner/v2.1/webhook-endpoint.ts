import {
  errorsByProperty,
  newWebhookEndpoint,
  validationErrors,
  webhookEndpoint,
  type WebhookEndpoint,
  webhookEndpointWithSecret,
} from "@portage/contract";
import { z } from "zod";
import {
  type AddressRules,
  checkAddress,
  disabledText,
  disabledTexts,
  enableTarget,
  findTarget,
  holdTarget,
  newWebhookSecret,
  rotateSecret,
  secretOverlapMs,
  setTarget,
  type WebhookTarget,
  writeTestEvent,
} from "../../../features/webhooks/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { type Answer, invalid, ok, Problem } from "../../answer.ts";
import { auditedChange, type ChangeMade } from "../audited-change.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxEndpoint, sandboxSecret, sandboxTestId } from "../sandbox/fixtures.ts";

const noEndpoint = () => new Problem("not_found", "You have no webhook endpoint yet: set one first.");

const missing = { description: "You have no endpoint yet.", problem: noEndpoint() };
const isDisabled = (text: string) => ({
  base: [`Your webhook endpoint is ${text}. Repair the receiver, then enable the endpoint.`],
});
const byOperator = { base: ["The operator disabled this endpoint: ask the operator to enable it."] };
const underWay = {
  base: ["The last rotation has not ended: both secrets sign until then. Wait, or send `immediately`."],
};

const described = {
  tag: "Events",
  path: "/webhook-endpoint",
} as const;

export const showEndpointOperation: Operation = {
  ...described,
  id: "showWebhookEndpoint",
  method: "GET",
  summary: "Show your webhook endpoint",
  description:
    "Where your events are sent, whether it works, and since when it does not. Its secret is never shown.",
  answers: {
    200: {
      description: "The endpoint.",
      schema: webhookEndpoint,
      examples: () => ({ enabled: sandboxEndpoint }),
    },
    404: missing,
  },
  sample: { sdk: "console.log(await portage.webhookEndpoint.show());" },
};

export const setEndpointOperation: Operation = {
  ...described,
  id: "setWebhookEndpoint",
  method: "POST",
  summary: "Set your webhook endpoint",
  description:
    "What you leave out stays as it is. A new endpoint gets a signing secret, shown this once. The address must be https " +
    "and public, unless the operator allows others. Events that wait are sent to a new address, which is enabled, unless " +
    "the operator disabled the endpoint.",
  body: newWebhookEndpoint,
  answers: {
    200: {
      description: "The endpoint; with a `secret` if it is new.",
      schema: webhookEndpointWithSecret,
      examples: () => ({ new: { ...sandboxEndpoint, secret: sandboxSecret }, changed: sandboxEndpoint }),
    },
    422: {
      description: "Something is missing or wrong.",
      schema: validationErrors,
      examples: () => ({ no_address: { url: ["can't be blank"] } }),
    },
  },
  sample: {
    body: { url: sandboxEndpoint.url },
    sdk: `const { secret } = await portage.webhookEndpoint.set({ url: "${sandboxEndpoint.url}" });
if (secret) console.log("Keep this secret:", secret);`,
  },
};

export const testEndpointOperation: Operation = {
  ...described,
  id: "testWebhookEndpoint",
  method: "POST",
  path: "/webhook-endpoint/test",
  summary: "Send a test event",
  description: "Sends `webhook.test` to your endpoint. Its delivery says what came back. A body is ignored.",
  answers: {
    200: {
      description: "It will be sent.",
      schema: z.object({ event_id: z.string() }).meta({ id: "TestEvent", description: "The test event." }),
      examples: () => ({ sent: { event_id: sandboxTestId } }),
    },
    404: missing,
    422: {
      description: "The endpoint is disabled: nothing would be sent.",
      schema: validationErrors,
      examples: () => ({
        disabled: isDisabled(`disabled since 2026-11-15T08:00:00.000Z: ${disabledTexts.no_success}`),
      }),
    },
  },
  sample: { sdk: "const { event_id } = await portage.webhookEndpoint.test();\nconsole.log(event_id);" },
};

const rotation = z
  .object({
    immediately: z
      .boolean({ error: "must be true or false" })
      .nullish()
      .describe("The old secret leaked: it signs no more."),
  })
  .meta({ id: "Rotation", description: "How to rotate a secret." });

export const rotateSecretOperation: Operation = {
  ...described,
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhook-endpoint/rotate",
  summary: "Rotate your signing secret",
  description:
    "Answers with a new secret, shown this once. The old one signs as well for 24 hours, so that you can change it without " +
    "losing an event. Without a body it does just that.",
  body: rotation,
  bodyIsOptional: true,
  answers: {
    200: {
      description: "The endpoint, with its new secret.",
      schema: webhookEndpointWithSecret,
      examples: () => ({ rotated: { ...sandboxEndpoint, secret: sandboxSecret } }),
    },
    404: missing,
    422: {
      description: "The last rotation has not ended.",
      schema: validationErrors,
      examples: () => ({ under_way: underWay }),
    },
  },
  sample: {
    body: { immediately: false },
    sdk: "const { secret } = await portage.webhookEndpoint.rotateSecret();\nconsole.log(secret?.length);",
  },
};

export const enableEndpointOperation: Operation = {
  ...described,
  id: "enableWebhookEndpoint",
  method: "POST",
  path: "/webhook-endpoint/enable",
  summary: "Enable your webhook endpoint",
  description:
    "After you repaired a receiver that was disabled. Waiting events are sent; abandoned ones only if you replay them. " +
    "A body is ignored.",
  answers: {
    200: {
      description: "The endpoint.",
      schema: webhookEndpoint,
      examples: () => ({ enabled: sandboxEndpoint }),
    },
    404: missing,
    422: {
      description: "The operator disabled it.",
      schema: validationErrors,
      examples: () => ({ by_operator: byOperator }),
    },
  },
  sample: { sdk: "await portage.webhookEndpoint.enable();" },
};

const timeOf = (at: Date | null) => at?.toISOString() ?? null;

const toEndpoint = (target: WebhookTarget): WebhookEndpoint => ({
  url: target.url,
  event_types: target.eventTypes as WebhookEndpoint["event_types"],
  ordered: target.ordered,
  progress: target.progress,
  enabled: target.disabledAt === null,
  disabled_since: timeOf(target.disabledAt),
  disabled_because: target.disabledBecause && disabledTexts[target.disabledBecause],
  failing_since: timeOf(target.failingSince),
  old_secret_until: timeOf(
    target.oldSecretUntil && target.oldSecretUntil > new Date() ? target.oldSecretUntil : null,
  ),
  created_at: target.createdAt.toISOString(),
});

/** The body of `setWebhookEndpoint`, or its errors. The sandbox validates with it too. */
export const readNewEndpoint = (body: object) => {
  const parsed = newWebhookEndpoint.safeParse(body);
  if (!parsed.success) return { errors: errorsByProperty(parsed.error) };
  const { url, event_types: eventTypes, ordered, progress } = parsed.data;
  return {
    wanted: {
      url: url ?? undefined,
      // Here null is a value: all of them.
      eventTypes,
      ordered: ordered ?? undefined,
      progress: progress ?? undefined,
    },
  };
};

/** Of `rotateWebhookSecret`. */
export const readRotation = (body: object) => {
  const parsed = rotation.safeParse(body);
  return parsed.success
    ? { immediately: parsed.data.immediately ?? false }
    : { errors: errorsByProperty(parsed.error) };
};

const or404 = (target: WebhookTarget | undefined): WebhookTarget => {
  if (!target) throw noEndpoint();
  return target;
};

const known = async (db: Database, partnerId: string) => or404(await findTarget(db, partnerId));
const held = async (db: Database, partnerId: string) => or404(await holdTarget(db, partnerId));

/** For the audit log. */
const changed = (partnerId: string, before: WebhookTarget | undefined, after: WebhookTarget) => ({
  target: { kind: "webhook", id: partnerId } as const,
  before: before ? toEndpoint(before) : null,
  after: toEndpoint(after),
});

interface Needs extends AddressRules {
  readonly db: Database;
  readonly sealer: Sealer;
}

export const webhookEndpointRoutes = (needs: Needs): readonly PartnerRoute[] => {
  const { db, sealer } = needs;
  return [
    {
      operation: showEndpointOperation,
      handle: async ({ partner }) => ok(toEndpoint(await known(db, partner.id))),
    },
    {
      operation: setEndpointOperation,
      async handle(call): Promise<Answer> {
        const { partner } = call;
        const read = readNewEndpoint(call.body);
        if (read.errors) return invalid(read.errors);
        const { url, ...wanted } = read.wanted;
        const address = await checkAddress(url, needs);
        if (address.kind === "refused") return invalid({ url: [address.predicate] });
        return auditedChange(db, call, setEndpointOperation.id, async (within) => {
          const set = await setTarget({ db: within, sealer }, partner.id, address, wanted);
          if (set.kind === "no_address") return { result: invalid({ url: ["can't be blank"] }) };
          const { before, target, secret } = set;
          return {
            result: ok({ ...toEndpoint(target), ...(secret && { secret: secret.reveal() }) }),
            entry: changed(partner.id, before, target),
          };
        });
      },
    },
    {
      operation: testEndpointOperation,
      async handle({ partner }) {
        const text = disabledText(await known(db, partner.id));
        if (text !== null) return invalid(isDisabled(text));
        return ok({ event_id: await writeTestEvent(db, partner.id) });
      },
    },
    {
      operation: rotateSecretOperation,
      async handle(call) {
        const { partner } = call;
        const read = readRotation(call.body);
        if (read.errors) return invalid(read.errors);
        const secret = newWebhookSecret();
        const overlapMs = read.immediately ? 0 : secretOverlapMs;
        return auditedChange(db, call, rotateSecretOperation.id, async (within) => {
          const before = await held(within, partner.id);
          const rotated = await rotateSecret(within, sealer, partner.id, secret, overlapMs);
          if (rotated === "under_way") return { result: invalid(underWay) };
          const after = await known(within, partner.id);
          return {
            result: ok({ ...toEndpoint(after), secret: secret.reveal() }),
            entry: changed(partner.id, before, after),
          };
        });
      },
    },
    {
      operation: enableEndpointOperation,
      handle: (call) =>
        auditedChange(db, call, enableEndpointOperation.id, async (within): Promise<ChangeMade<Answer>> => {
          const { id } = call.partner;
          const before = await held(within, id);
          if (!(await enableTarget(within, id, "partner"))) return { result: invalid(byOperator) };
          const after = await known(within, id);
          return { result: ok(toEndpoint(after)), entry: changed(id, before, after) };
        }),
    },
  ];
};
