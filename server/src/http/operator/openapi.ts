import { type ErrorCode, errorStatuses } from "@portage/contract";
import { z } from "zod";
import type { Area } from "../../features/staff/index.ts";
import { isChange, type OperatorOperation } from "./operation.ts";
import type { VisitorOperation } from "./visitor.ts";

const schemaOf = (schema: z.ZodType, io: "input" | "output"): object => {
  const { $schema: _, ...inline } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return inline;
};

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "request_id"],
      properties: {
        code: { type: "string", enum: Object.keys(errorStatuses) },
        message: { type: "string" },
        request_id: { type: "string", description: "Also in X-Request-Id, and in the audit log." },
      },
    },
  },
};

const headers = { "X-Request-Id": { description: "Also in the audit log.", schema: { type: "string" } } };

const jsonAnswer = (description: string, schema: object) => ({
  description,
  headers,
  content: { "application/json": { schema } },
});

const errorAnswer = (description: string) => jsonAnswer(description, { $ref: "#/components/schemas/Error" });

const invalidSchema = {
  type: "object",
  description: "What is wrong, by the name of the parameter or property.",
  additionalProperties: { type: "array", items: { type: "string" } },
};

/** Errors that mean the same everywhere. */
const commonErrors = {
  bad_request: "The request can't be read: bad syntax.",
  unauthorized: "No staff token or session, or one that is wrong, expired or revoked.",
  forbidden:
    "The role or the areas of this token do not include it; or a change with a browser's session did not come from the console.",
  not_found: "There is none with this id.",
  rate_limited: "More than 10 requests in a second; or too many failed sign-ins.",
  internal: "Something went wrong; the log has it under the request id.",
  unavailable: "The database does not answer: try again in a moment.",
} as const satisfies Partial<Record<ErrorCode, string>>;

const conflictText = (operation: OperatorOperation): string | null => {
  const texts = [
    ...(operation.conflict ? [operation.conflict] : []),
    ...(isChange(operation) ? ["A change with this Idempotency-Key was made before."] : []),
  ];
  return texts.length === 0 ? null : texts.join(" Or: ");
};

const answersOf = (operation: OperatorOperation) => {
  const conflict = conflictText(operation);
  const common = Object.keys(commonErrors)
    .filter((code) => code !== "not_found" || operation.path.includes(":id"))
    .map((code) => [errorStatuses[code as ErrorCode], { $ref: `#/components/responses/${code}` }]);
  return {
    ...(operation.answer
      ? { 200: jsonAnswer("Done.", schemaOf(operation.answer, "output")) }
      : { 204: { description: "Done.", headers } }),
    422: { $ref: "#/components/responses/invalid" },
    ...(conflict !== null && { 409: errorAnswer(conflict) }),
    ...(Object.fromEntries(common) as Record<string, object>),
  };
};

const queryParameters = ({ query }: OperatorOperation) =>
  Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(schema as z.ZodType, "input") as { description?: string };
    return { name, in: "query", required: false, ...(description && { description }), schema: rest };
  });

const reason = { type: "string", maxLength: 500, description: "Why, for the audit log." };

/** Every body takes a reason, beside its own properties. */
const bodyOf = (operation: OperatorOperation) => {
  if (operation.method === "GET" || operation.method === "DELETE") return {};
  const own = schemaOf(operation.body ?? z.object({}), "input") as {
    properties?: object;
    required?: string[];
  };
  const schema = { ...own, properties: { ...own.properties, reason } };
  const required = (own.required ?? []).length > 0;
  return { requestBody: { required, content: { "application/json": { schema } } } };
};

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

const describe = (operation: OperatorOperation) => ({
  operationId: operation.id,
  tags: [operation.area],
  summary: operation.summary,
  description: `${operation.description}\n\nRole: ${operation.role}.`,
  parameters: [
    ...(operation.path.includes(":id")
      ? [{ name: "id", in: "path", required: true, description: "The id.", schema: { type: "string" } }]
      : []),
    ...queryParameters(operation),
    header("X-Reason", "Why, for the audit log; percent-encoded if it is not ASCII."),
    ...(isChange(operation)
      ? [header("Idempotency-Key", "Makes sure that a change is made once, also if it is sent twice.")]
      : []),
  ],
  ...bodyOf(operation),
  responses: answersOf(operation),
});

const describeVisitor = (operation: VisitorOperation) => ({
  operationId: operation.id,
  tags: ["sign-in"],
  summary: operation.summary,
  description: operation.description,
  security: [],
  ...(operation.body && {
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemaOf(operation.body, "input") } },
    },
  }),
  responses: {
    ...(operation.answer
      ? { 200: jsonAnswer("Done.", schemaOf(operation.answer, "output")) }
      : {
          204: {
            description: "Signed in.",
            headers: {
              ...headers,
              "Set-Cookie": { description: "The session.", schema: { type: "string" } },
            },
          },
        }),
    ...(operation.method === "POST" && {
      403: errorAnswer("Another site's page sent it."),
      422: { $ref: "#/components/responses/invalid" },
      429: errorAnswer("Too many attempts from this address, or of this account."),
    }),
    ...Object.fromEntries(
      Object.entries(operation.errors ?? {}).map(([status, text]) => [status, errorAnswer(text)]),
    ),
    ...Object.fromEntries(
      (["bad_request", "internal", "unavailable"] as const).map((code) => [
        errorStatuses[code],
        { $ref: `#/components/responses/${code}` },
      ]),
    ),
  },
});

const areaTexts: Readonly<Record<Area, string>> = {
  imports: "Imports of all partners: what they wait for, and help for their customers.",
  partners: "Partners, their settings and tokens.",
  webhooks: "Webhook endpoints, deliveries and replays.",
  tools: "Tools with their quotas and failures.",
  billing: "Prices, payments and refunds.",
  system: "Processes, storage, retention, and who you are.",
  audit: "What the staff did.",
  staff: "The people who operate this installation, and their tokens.",
};

const introduction = `For the people who operate an installation. It listens on a port of its own (\`OPERATOR_PORT\`), which is off by default
and belongs in a network that customers and partners can't reach.

**Sign in** with a staff token: \`Authorization: Bearer ptg_staff_…\`. \`portage staff\` makes the first person and token. Browsers have a
session in a cookie instead; a change then needs the header \`x-portage-console: 1\` and the \`Origin\` of the console.

**Roles**: a viewer reads; an operator also helps customers; an admin also decides on partners, staff and erasure. A token does at most what its
person may do, and can be limited to areas (the groups below).

**Audit log**: every call is in it, reads included, with the person, the \`reason\`, the target and the request id; a change with what was before
and after, in the same transaction.

**Limit**: 10 requests per second and person.`;

/** The OpenAPI document of the operator API, generated from the mounted operations. */
export const operatorOpenApi = (
  operations: readonly OperatorOperation[],
  visitorOperations: readonly VisitorOperation[],
): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of visitorOperations)
    paths[operation.path] = { [operation.method.toLowerCase()]: describeVisitor(operation) };
  for (const operation of operations) {
    const path = operation.path.replace(":id", "{id}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Portage operator API",
      version: "1",
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "https://operator.portage.example/api/operator/v1", description: "Your own" }],
    security: [{ token: [] }, { session: [] }],
    tags: [
      { name: "sign-in", description: "How a person signs in to the console; needs no session." },
      ...Object.entries(areaTexts).map(([name, description]) => ({ name, description })),
    ],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A staff token, beginning with ptg_staff_." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-portage-staff",
          description: "The session of a browser that signed in to the console.",
        },
      },
      responses: {
        invalid: jsonAnswer("A query parameter or a property does not fit.", invalidSchema),
        ...Object.fromEntries(Object.entries(commonErrors).map(([code, text]) => [code, errorAnswer(text)])),
      },
      schemas: { Error: errorSchema },
    },
  };
};
