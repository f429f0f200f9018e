import {
  type EventType,
  eventTypes,
  type ImportEvent,
  importEvent,
  type ProgressEvent,
  progressEvent,
  statusTexts,
} from "@portage/contract";
import type { ZodType } from "zod";
import { testPayload } from "../../../features/webhooks/index.ts";
import { sandboxTestEvent } from "../sandbox/fixtures.ts";

interface DescribedEvent<E = ImportEvent> {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly example: E;
}

const example = (type: EventType, rest: Partial<ImportEvent>): ImportEvent => ({
  event_id: "evt_01jd3v5m8q0c7x2k4t9w6y1zab",
  type,
  ...testPayload,
  id: "imp_01jd3v5m8q0c7x2k4t9w6y1zab",
  reference: "acme-42",
  timestamp: sandboxTestEvent.timestamp,
  ...rest,
});

const described: Readonly<Record<EventType, DescribedEvent>> = {
  "import.status_changed": {
    operationId: "onStatusChanged",
    summary: "The import has another status",
    description: "`previous_status` is the one before.",
    example: example("import.status_changed", { previous_status: statusTexts.sample_in_progress }),
  },
  "import.full_requested": {
    operationId: "onFullRequested",
    summary: "The customer asks for the full migration",
    description: "Accept or reject sponsorship; until you do, the customer may buy it.",
    example: example("import.full_requested", {}),
  },
  "import.attention_required": {
    operationId: "onAttentionRequired",
    summary: "The customer must act",
    description: "For example sign in again; the run waits until then. The status does not change.",
    example: example("import.attention_required", {
      status_code: "migration_in_progress",
      status: statusTexts.migration_in_progress,
      items: { tickets: 611, contacts: 317 },
    }),
  },
  "import.closed": {
    operationId: "onClosed",
    summary: "The import was cancelled or archived",
    description: "From now on the API answers 404 for it. `reason` says who or what closed it.",
    example: example("import.closed", { reason: "partner" }),
  },
  "webhook.test": {
    operationId: "onTest",
    summary: "A test of the delivery",
    description: "You or the operator asked for it. It describes the sandbox's `sample_completed`.",
    example: sandboxTestEvent,
  },
};

const progress: DescribedEvent<ProgressEvent> = {
  operationId: "onProgress",
  summary: "How far a run has come",
  description:
    "Only if you asked for it (`progress` of your endpoint), while a run is under way: at most once a minute for an import, the first " +
    "when the run begins. It is sent once and never again: if it gets lost, the next one says more. No list has it. It is not sent " +
    "while an event of the import is on its way, nor while your endpoint fails.",
  example: {
    ...example("import.status_changed", {
      status_code: "migration_in_progress",
      status: statusTexts.migration_in_progress,
      items: { tickets: 611, contacts: 317 },
    }),
    type: "import.progress",
    progress: {
      phase: "full",
      state: "running",
      done: 928,
      failed: 0,
      skipped: 3,
      total: 1524,
      eta_seconds: 140,
    },
  },
};

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const headers = [
  header(
    "X-Authorization-Content-SHA256",
    "HMAC-SHA256 of the raw body in lower-case hexadecimal; the key is the whole secret.",
  ),
  header("webhook-id", "The `event_id`. The same in every attempt: ignore one that you have seen."),
  header("webhook-timestamp", "Seconds since 1970, of this attempt."),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two of them, separated by a space, while the secret is rotated.",
  ),
];

/** The section `webhooks` of the OpenAPI document: one for each type of event. */
export const webhooksSection = (schemaOf: (schema: ZodType) => object) =>
  Object.fromEntries(
    [
      ...eventTypes.map((type) => ({ type, schema: importEvent, event: described[type] })),
      { type: progress.example.type, schema: progressEvent, event: progress },
    ].map(({ type, schema, event }) => {
      const { example: value, ...texts } = event;
      return [
        type,
        {
          post: {
            tags: ["Webhooks"],
            ...texts,
            security: [],
            parameters: headers,
            requestBody: {
              required: true,
              content: {
                "application/json": { schema: schemaOf(schema), examples: { [type]: { value } } },
              },
            },
            responses: {
              "2XX": { description: "Received. Anything else, or no answer within 10 seconds, is retried." },
              410: { description: "You want no more webhooks: Portage disables your address." },
            },
          },
        },
      ];
    }),
  );
