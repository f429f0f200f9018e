import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Received, Sent } from "./http-client.ts";

interface Document {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  readonly components: { schemas: Record<string, object> };
}

/** Closes every object schema, so that an undocumented field fails. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in inner && !("additionalProperties" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
};

const prefixes = ["/api/v2.1", "/api/sandbox", "/api/simulator"];

/** Returns what is wrong with a value by a schema of the document, in which no field is undocumented. */
export const createSchemaCheck = (document: object) => {
  const { components } = closed(document) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: "doc", components });
  const compiled = new Map<object, ValidateFunction>();
  const validator = (schema: object) => {
    const absolute = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'),
    ) as object;
    const known = compiled.get(schema) ?? ajv.compile(absolute);
    compiled.set(schema, known);
    return known;
  };
  return (schema: object, json: unknown): string[] => {
    const validate = validator(schema);
    return validate(json)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
};

/** Checks every answer of the partner API against the published document. */
export const createOpenApiCheck = (document: object) => {
  const { paths } = closed(document) as Document;
  const problems = createSchemaCheck(document);
  const patterns = Object.entries(paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replace("{id}", "[^/]+")}$`),
    operations,
  }));
  const errorSchema = { $ref: "#/components/schemas/Error" };

  /** The problems of an answer; empty if the answer is as documented. */
  return ({ method = "GET", path }: Sent, { status, headers, text, json }: Received): string[] => {
    const prefix = prefixes.find((each) => path.startsWith(each));
    if (!prefix) return [];
    const plain = (path.split("?")[0] ?? "")
      .slice(prefix.length)
      .replace(/\/{2,}/g, "/")
      .replace(/(.)\/$/, "$1");
    const found = patterns.find(({ pattern }) => pattern.test(plain));
    const operation = found?.operations[(method === "HEAD" ? "GET" : method).toLowerCase()];
    if (!operation)
      return [404, 405, 400].includes(status) ? problems(errorSchema, json) : [`${status} for no operation`];
    const documented = operation.responses[String(status)];
    if (!documented) return [`${method} ${plain}: ${status} is not documented`];
    if (!documented.content)
      return text === "" && !headers["content-type"] ? [] : ["a body where none is documented"];
    if (method === "HEAD") return text === "" ? [] : ["a body in answer to HEAD"];
    return problems(documented.content["application/json"]?.schema ?? {}, json);
  };
};
