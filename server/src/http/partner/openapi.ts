import { type ErrorCode, errorBody, errorStatuses, validationErrors } from "@portage/contract";
import { z } from "zod";
import { warningTexts } from "../../features/imports/index.ts";
import { reasons } from "../../features/runs/index.ts";
import { maxLive } from "../../features/simulator/index.ts";
import type { Operation, Parameter } from "./operation.ts";

const componentUri = (id: string) => `#/components/schemas/${id}`;

/** A named schema becomes a reference, an array of one an array of references; any other schema stays inline. */
const schemaOf = (schema: z.ZodType): object => {
  const id = z.globalRegistry.get(schema)?.id;
  if (id) return { $ref: componentUri(id) };
  if (schema instanceof z.ZodArray) return { type: "array", items: schemaOf(schema.element as z.ZodType) };
  const { $schema: _, ...inline } = z.toJSONSchema(schema, { io: "input" });
  return inline;
};

const components = () => {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: "input", uri: componentUri });
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema] as const)
      .toSorted(([a], [b]) => a.localeCompare(b, "en")),
  );
};

const requestIdHeader = {
  "X-Request-Id": { description: "Quote it when you write to us.", schema: { type: "string" } },
};
const retryAfter = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } };

const json = (schema: object) => ({ "application/json": { schema } });

const answer = (description: string, schema?: z.ZodType, headers: object = {}) => ({
  description,
  headers: { ...requestIdHeader, ...headers },
  ...(schema && { content: json(schemaOf(schema)) }),
});

/** The responses that every operation can give besides its own. */
const commonAnswers: Readonly<Partial<Record<ErrorCode, ReturnType<typeof answer>>>> = {
  bad_request: answer("The request can't be read: bad syntax.", errorBody),
  unauthorized: answer("No API token, or one that is wrong or revoked.", errorBody, {
    "WWW-Authenticate": { schema: { type: "string" } },
  }),
  method_not_allowed: answer("This address takes other methods; Allow names them.", errorBody, {
    Allow: { schema: { type: "string" } },
  }),
  request_timeout: answer("The request took too long to arrive.", errorBody),
  rate_limited: answer(
    "More than 10 requests in a second; or too many failed sign-ins.",
    errorBody,
    retryAfter,
  ),
  headers_too_large: answer("The headers are too large.", errorBody),
  internal: answer("Something went wrong on our side.", errorBody),
  unavailable: answer("Try again in a moment.", errorBody, retryAfter),
};

const invalidAnswer = answer("A query parameter is given more than once.", validationErrors);

const parameter = (
  where: "query" | "header",
  { name, description, required = false, schema }: Parameter,
) => ({
  name,
  in: where,
  description,
  required,
  schema: schemaOf(schema),
});

const idParameter = (description: string) => ({
  name: "id",
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});

const answersOf = (operation: Operation) => {
  const own = Object.entries(operation.answers).map(
    ([status, { description, schema }]) =>
      [status, answer(description, schema ?? (Number(status) >= 400 ? errorBody : undefined))] as const,
  );
  const common = Object.entries(commonAnswers).map(
    ([code, value]) => [String(errorStatuses[code as ErrorCode]), value] as const,
  );
  return Object.fromEntries(
    [...common, ["422", invalidAnswer] as const, ...own].toSorted(([a], [b]) => Number(a) - Number(b)),
  );
};

const describe = (operation: Operation) => ({
  operationId: operation.id,
  summary: operation.summary,
  description: operation.description,
  parameters: [
    ...(operation.path.includes(":id") ? [idParameter(operation.idOf ?? "The import's id.")] : []),
    ...(operation.query ?? []).map((each) => parameter("query", each)),
    ...(operation.headers ?? []).map((each) => parameter("header", each)),
  ],
  ...(operation.body && { requestBody: { required: true, content: json(schemaOf(operation.body)) } }),
  responses: answersOf(operation),
});

const warningList = [
  ...Object.entries(warningTexts),
  ...Object.entries(reasons).map(([code, text]) => [code, `Records that ${text}.`] as const),
]
  .map(([code, message]) => `- \`${code}\`: ${message}`)
  .join("\n");

const introduction = `Start and track the move of your customer's data from an old tool into yours.

**Sign in** with HTTP Basic authentication: your API token is the username, the password is ignored.

**Limit**: 10 requests per second over all endpoints; beyond it the answer is 429 with \`Retry-After\`.

**Sandbox**: the same operations under \`/api/sandbox\`. It validates, writes nothing, has no limit, and has an import for
each status, whose id is the status code (\`sample_completed\`).

**Simulator**: the same operations under \`/api/simulator\`, for your end-to-end tests. An import that is created there
(\`sim_…\`) walks through its statuses by itself in some seconds, and your receiver gets the real, signed webhooks of it, each
with \`"test": true\`. Nothing is read from any tool, nothing is written to any. \`reference\` chooses what is played: \`happy\`,
\`warnings\`, \`expired_sign_in\`, \`rejected\`, \`undo\`; anything else is \`happy\`. The limit counts here too. At most ${maxLive}
simulations can be under way at a time; each is removed after a day.

**Warnings** are grouped by cause, worst first, and have these codes. A tool may have others of its own; their message
names them.

${warningList}

[Changes to this API](api/changelog)`;

/** The OpenAPI document of version 2.1, generated from the mounted operations. */
export const openApiDocument = (operations: readonly Operation[]): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(":id", "{id}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Portage partner API",
      version: "2.1",
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: "/api/v2.1", description: "The service" },
      { url: "/api/sandbox", description: "The sandbox" },
      { url: "/api/simulator", description: "The simulator" },
    ],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "basic", description: "API token as the username; any password." },
      },
      schemas: components(),
    },
  };
};
