import { type ErrorCode, errorBody, errorStatuses, validationErrors } from "@portage/contract";
import { z } from "zod";
import { Problem, problemAnswer } from "../answer.ts";
import { rateLimited } from "../rate-limit.ts";
import { apiTokenRequired } from "./gate.ts";
import type { Operation, OperationAnswer, Parameter } from "./operation.ts";
import { guides } from "./reference/guides.ts";
import { codeSamples } from "./reference/samples.ts";
import { webhooksSection } from "./reference/webhooks.ts";

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

const named = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

const json = (schema: z.ZodType, examples: Readonly<Record<string, unknown>>) => ({
  "application/json": { schema: schemaOf(schema), examples: named(examples) },
});

const answer = (description: string, content?: object, headers: object = {}) => ({
  description,
  headers: { ...requestIdHeader, ...headers },
  ...(content && { content }),
});

const exampleRequestId = "2f1c9e1e-8a55-4c0b-9d2b-6a7d2c1f4e10";

const errorAnswer = (description: string, problem: Problem, headers: object = {}) =>
  answer(
    description,
    json(errorBody, { [problem.code]: problemAnswer(problem, exampleRequestId).body }),
    headers,
  );

/** The responses that every operation can give besides its own; `allow` has the methods of its address. */
const commonAnswers = ({ body }: Operation, allow: string) => ({
  bad_request: errorAnswer(
    "The request can't be read: bad syntax.",
    new Problem("bad_request", body ? "The body is not JSON in UTF-8." : "The address is not a valid one."),
  ),
  unauthorized: errorAnswer("No API token, or one that is wrong or revoked.", apiTokenRequired(), {
    "WWW-Authenticate": { schema: { type: "string" } },
  }),
  method_not_allowed: errorAnswer(
    "This address takes other methods; Allow names them.",
    new Problem("method_not_allowed", `This address takes ${allow}.`),
    { Allow: { schema: { type: "string" } } },
  ),
  request_timeout: errorAnswer(
    "The request took too long to arrive.",
    new Problem("request_timeout", "The request took too long to arrive."),
  ),
  rate_limited: errorAnswer(
    "More than 10 requests in a second; or too many failed sign-ins.",
    rateLimited(),
    retryAfter,
  ),
  headers_too_large: errorAnswer(
    "The headers are too large.",
    new Problem("headers_too_large", "The headers are too large."),
  ),
  internal: errorAnswer(
    "Something went wrong on our side.",
    new Problem("internal", "Something went wrong on our side. We have logged it under this request id."),
  ),
  unavailable: errorAnswer(
    "Try again in a moment.",
    new Problem("unavailable", "The service can't reach its database right now: try again in a moment."),
    retryAfter,
  ),
});

const invalidAnswer = answer(
  "A query parameter is given more than once.",
  json(validationErrors, { given_twice: { limit: ["must be given once"] } }),
);

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

const idParameter = (description: string, example: string | undefined) => ({
  name: "id",
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const ownAnswer = (publicUrl: string, own: OperationAnswer) => {
  if ("problem" in own) return errorAnswer(own.description, own.problem);
  return answer(own.description, "schema" in own ? json(own.schema, own.examples(publicUrl)) : undefined);
};

const answersOf = (publicUrl: string, operation: Operation, allow: string) => {
  const own = Object.entries(operation.answers).map(
    ([status, each]) => [status, ownAnswer(publicUrl, each)] as const,
  );
  const common = Object.entries(commonAnswers(operation, allow)).map(
    ([code, value]) => [String(errorStatuses[code as ErrorCode]), value] as const,
  );
  return Object.fromEntries(
    [...common, ["422", invalidAnswer] as const, ...own].toSorted(([a], [b]) => Number(a) - Number(b)),
  );
};

const bodyOf = ({ body, bodyIsOptional, sample }: Operation) =>
  body && { requestBody: { required: !bodyIsOptional, content: json(body, { sample: sample.body }) } };

const describe = (publicUrl: string, operation: Operation, allow: string) => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  parameters: [
    ...(operation.path.includes(":id")
      ? [idParameter(operation.idOf ?? "The import's id.", operation.sample.id)]
      : []),
    ...(operation.query ?? []).map((each) => parameter("query", each)),
    ...(operation.headers ?? []).map((each) => parameter("header", each)),
  ],
  ...bodyOf(operation),
  responses: answersOf(publicUrl, operation, allow),
  "x-codeSamples": codeSamples(publicUrl, operation),
});

const operationTags: Readonly<Record<Operation["tag"], string>> = {
  Tools: "The tools from which your customers' data can be moved.",
  Imports: "A customer's move, from its creation to its end.",
  Sponsorship: "Whether you pay for a customer's full migration.",
  Events: "What happened to your imports, and how your webhooks fared.",
};

const introduction = `Start and track the move of your customer's data from an old tool into yours.

**Sign in** with HTTP Basic authentication: your API token is the username, the password is ignored. One token works for the
service, the sandbox and the simulator. It belongs on your server, never in a browser: the API allows no other site to call it.

\`\`\`sh
curl -u "$PORTAGE_TOKEN:X" "$PORTAGE_URL/api/sandbox/tools"
\`\`\`

**Limit**: 10 requests per second over all endpoints; beyond it the answer is 429 with \`Retry-After\`.

**Sandbox**: the same operations under \`/api/sandbox\`; it writes nothing. **Simulator**: the same under
\`/api/simulator\`; it plays whole imports, with real webhooks. The guides below have a page on each, and on errors, limits,
idempotency, webhooks, signatures and warnings.

[Changes to this API](api/changelog)`;

/** The methods that an address takes, as a 405 names them. */
const allowedAt = (operations: readonly Operation[], path: string) => {
  const methods = new Set(operations.filter((each) => each.path === path).map(({ method }) => method));
  return [...(methods.has("GET") ? ["GET", "HEAD"] : []), ...(methods.has("POST") ? ["POST"] : [])].join(
    ", ",
  );
};

/** The OpenAPI document of version 2.1, generated from the mounted operations. */
export const openApiDocument = (publicUrl: string, operations: readonly Operation[]): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(":id", "{id}");
    const described = describe(publicUrl, operation, allowedAt(operations, operation.path));
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described };
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
      { url: `${publicUrl}/api/v2.1`, description: "The service" },
      { url: `${publicUrl}/api/sandbox`, description: "The sandbox" },
      { url: `${publicUrl}/api/simulator`, description: "The simulator" },
    ],
    security: [{ token: [] }],
    tags: [...Object.entries(operationTags).map(([name, description]) => ({ name, description })), ...guides],
    "x-tagGroups": [
      { name: "Operations", tags: Object.keys(operationTags) },
      { name: "Guides", tags: guides.map(({ name }) => name) },
    ],
    paths,
    webhooks: webhooksSection(schemaOf),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "basic", description: "API token as the username; any password." },
      },
      schemas: components(),
    },
  };
};
