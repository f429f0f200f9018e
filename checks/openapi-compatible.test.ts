import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { breakingChanges } from "./openapi-compatible.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../contract", name), "utf8")) as Record<string, unknown>;

test("clients of the last release understand this API", () => {
  expect(breakingChanges(read("openapi.released.json"), read("openapi.json"))).toEqual([]);
});

const answer = (schema: object) => ({ 200: { content: { "application/json": { schema } } } });
const before = {
  components: {
    schemas: {
      Import: {
        type: "object",
        required: ["id", "status"],
        properties: {
          id: { type: "string" },
          status: { type: "string", enum: ["open", "done"] },
          parent: { $ref: "#/components/schemas/Import" },
        },
      },
    },
  },
  paths: {
    "/imports": {
      get: {
        parameters: [{ in: "query", name: "family", schema: { type: "string", enum: ["crm", "desk"] } }],
        responses: answer({ type: "array", items: { $ref: "#/components/schemas/Import" } }),
      },
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", required: ["tool"], properties: { tool: { type: "string" } } },
            },
          },
        },
        responses: { ...answer({ $ref: "#/components/schemas/Import" }), 422: {} },
      },
    },
  },
};
const theImport = "components schemas Import";
const theList = "paths /imports get";
const theBody = "paths /imports post requestBody content application/json schema";
const family = before.paths["/imports"].get.parameters[0];

/** The document with a value elsewhere: a path of names, and null for what is gone. */
const edited = (...edits: readonly (readonly [path: string, value: unknown])[]): object => {
  const copy = structuredClone(before) as Record<string, unknown>;
  for (const [path, value] of edits) {
    const names = path.split(" ");
    const last = names.pop() ?? "";
    const node = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
    if (value === null) delete node[last];
    else node[last] = value;
  }
  return copy;
};

test.each([
  ["a path", "paths /imports", null, "GET /imports: is gone"],
  ["a method", "paths /imports post", null, "POST /imports: is gone"],
  ["a property of an answer", `${theImport} properties id`, null, "GET /imports 200[].id: is gone"],
  ["a gap in an answer", `${theImport} required`, ["id"], "GET /imports 200[].status: may be missing now"],
  [
    "another type",
    `${theImport} properties id type`,
    "integer",
    "GET /imports 200[].id: the type string became integer",
  ],
  [
    "a new value in an answer",
    `${theImport} properties status enum`,
    ["open", "done", "lost"],
    "GET /imports 200[].status: may be lost",
  ],
  ["an answer", "paths /imports post responses 422", null, "POST /imports: the answer 422 is gone"],
  [
    "a value that is no longer taken",
    `${theList} parameters 0 schema enum`,
    ["crm"],
    "GET /imports query family: no longer takes desk",
  ],
  ["a parameter", `${theList} parameters`, [], "GET /imports: the parameter query family is gone"],
  [
    "a required parameter",
    `${theList} parameters`,
    [family, { in: "query", name: "q", required: true, schema: {} }],
    "GET /imports: the parameter query q is required now",
  ],
  [
    "a required property of a request",
    `${theBody} required`,
    ["tool", "reference"],
    "POST /imports body.reference: is required now",
  ],
  ["a property of a request", `${theBody} properties tool`, null, "POST /imports body.tool: is gone"],
])("finds %s", (_, path, value, problem) => {
  expect(breakingChanges(before, edited([path, value]) as typeof before)).toContain(problem);
});

test("additions break nothing", () => {
  const added = edited(
    [`${theImport} properties created_at`, { type: "string" }],
    [`${theImport} required`, ["id", "status", "created_at"]],
    [`${theBody} properties reference`, { type: "string" }],
    [`${theList} parameters`, [family, { in: "query", name: "limit", schema: { type: "integer" } }]],
    [`${theList} parameters 0 schema enum`, ["crm", "desk", "plans"]],
    ["paths /tools", { get: { responses: answer({ type: "array", items: {} }) } }],
  );
  expect(breakingChanges(before, added as typeof before)).toEqual([]);
});
