import { errorStatuses, newImportErrorKeys } from "@portage/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { RawAnswer } from "../../support/raw-http.ts";
import type { HttpCase } from "./http-case.ts";

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  readonly components: object;
}

const isErrorBody = (answer: RawAnswer) => {
  const { error } = JSON.parse(answer.body) as { error?: Record<string, unknown> };
  const status = errorStatuses[error?.["code"] as keyof typeof errorStatuses];
  return (
    status === answer.status &&
    typeof error?.["message"] === "string" &&
    error["request_id"] === answer.headers.get("x-request-id")
  );
};

const isValidationBody = (answer: RawAnswer, isCreation: boolean) => {
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  const right = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string");
  return (
    Object.values(body).every(right) &&
    Object.values(body).some((value) => (value as unknown[]).length > 0) &&
    (!isCreation || newImportErrorKeys.every((key) => key in body))
  );
};

/** The customer's link is not in the partner's document: it opens a session and redirects to the import's page. */
const checkWayIn = ({ headers }: RawAnswer, isHead: boolean) => {
  if (!/^\/imports\/[a-z0-9_]+$/.test(headers.get("location") ?? "")) return "a link that leads elsewhere";
  if (headers.get("cache-control") !== "no-store") return "no Cache-Control: no-store";
  if (isHead) return headers.has("set-cookie") ? "a session for a HEAD request" : undefined;
  return /; HttpOnly/i.test(headers.get("set-cookie") ?? "") ? undefined : "a session that scripts can read";
};

/** Returns what is wrong with an answer, by the API's own OpenAPI document; undefined if nothing is. */
export const createAnswerCheck = (document: OpenApi) => {
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: "doc", components: document.components });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const documented = new Map<string, ReadonlySet<number>>();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      documented.set(name, new Set(Object.keys(responses).map(Number)));
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.["application/json"]?.schema;
        if (schema)
          compiled.set(
            `${name} ${status}`,
            ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object),
          );
      }
    }
  const anywhere = new Set([...documented.values()].flatMap((statuses) => [...statuses]));

  return ({ operation, isHead, bytes }: HttpCase, answer: RawAnswer): string | undefined => {
    const { status, headers, body } = answer;
    if (status >= 500) return "5xx";
    const isLink = !operation && / \/imports\/imp_/.test(bytes);
    if (isLink && status === 303) return checkWayIn(answer, isHead);
    const allowed = operation ? documented.get(operation) : anywhere;
    // a page says that this import was canceled
    if (!allowed?.has(status) && !(isLink && status === 410)) return "undocumented status";
    if (!headers.get("x-request-id")) return "no X-Request-Id";
    if (headers.has("etag")) return "an ETag";
    const isHtml = headers.get("content-type")?.startsWith("text/html");
    if (isHtml) return operation || !/ \/((docs|imports)\b|[ ?#])/.test(bytes) ? "HTML" : undefined;
    if (headers.get("cache-control") !== "no-store") return "no Cache-Control: no-store";
    if (status === 401 && !headers.get("www-authenticate")?.startsWith("Basic "))
      return "401 without a challenge";
    if (status === 405 && !headers.get("allow")) return "405 without Allow";
    if (status === 429 && !(Number(headers.get("retry-after")) >= 1)) return "429 without Retry-After";
    if (/ \/api\/sandbox\//.test(bytes) && operation && headers.has("ratelimit"))
      return "RateLimit in the sandbox";
    if (isHead) return body === "" ? undefined : "a body for HEAD";
    if (body === "") {
      const isEmptyOk =
        status === 200 && headers.get("content-length") === "0" && !headers.has("content-type");
      return isEmptyOk ? undefined : "an empty body";
    }
    if (headers.get("content-type") !== "application/json; charset=utf-8") return "another content type";
    try {
      JSON.parse(body);
      if (status === 422)
        return isValidationBody(answer, operation === "POST /imports") ? undefined : "422 of another shape";
      if (status >= 400) return isErrorBody(answer) ? undefined : "an error of another shape";
    } catch {
      return "not JSON";
    }
    const validate = operation && compiled.get(`${operation} ${status}`);
    return validate && !validate(JSON.parse(body))
      ? `against its schema: ${ajv.errorsText(validate.errors)}`
      : undefined;
  };
};
