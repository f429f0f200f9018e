import { describe, expect, test } from "vitest";
import { type Amendment, amendExcerpt } from "./amend-excerpt.ts";
import { createSpecCheck } from "./spec-check.ts";
import { makeSpecExcerpt } from "./spec-excerpt.ts";

const vendorFile = JSON.stringify({
  info: { version: "1", description: "A sentence with prose. Another one." },
  paths: {
    "/things": {
      get: {
        summary: "Lists all the things there are.",
        parameters: [
          { in: "query", name: "page", schema: { type: "integer", minimum: 1 } },
          { $ref: "#/components/parameters/Tenant" },
        ],
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
                example: [{ id: 1, name: null, kind: "a", parts: [], colour: "red" }],
              },
            },
          },
        },
      },
      post: {
        requestBody: {
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/NewThing" } },
            "multipart/form-data": { schema: { $ref: "#/components/schemas/NewThing" } },
          },
        },
        responses: {
          "201": { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
          "204": { description: "Nothing to say." },
        },
      },
    },
    "/things/{id}": {
      parameters: [{ in: "path", name: "id", required: true, schema: { type: "integer" } }],
      get: { responses: { "404": { $ref: "#/components/responses/Missing" } } },
    },
    "/other": { get: { responses: {} } },
  },
  components: {
    parameters: { Tenant: { in: "header", name: "X-Tenant", required: true, schema: { type: "string" } } },
    responses: {
      Missing: {
        content: {
          "application/json": {
            schema: { type: "object", required: ["error"], properties: { error: { type: "string" } } },
          },
        },
      },
    },
    schemas: {
      Base: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "integer", description: "The id." } },
      },
      Thing: {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          {
            type: "object",
            properties: {
              name: { type: "string", maxLength: 5 },
              kind: { type: "string", enum: ["a", "b"], nullable: true },
              at: { type: "string", format: "date-time" },
              parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
            },
          },
        ],
      },
      NewThing: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, size: { type: "integer" } },
      },
    },
  },
});
const plan = { operations: ["GET /things", "POST /things", "GET /things/{id}"] };
const excerpt = makeSpecExcerpt(vendorFile, plan);

describe("an excerpt", () => {
  test("has names, types and values, without prose", () => {
    expect(JSON.stringify(excerpt)).not.toMatch(/prose|Lists|The id|Nothing/);
    expect(Object.keys(excerpt.operations)).toEqual(plan.operations);
    expect(excerpt.schemas["Thing"]).toEqual({
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "integer" },
        name: { type: ["string", "null"], maxLength: 5 },
        kind: { type: ["string", "null"], enum: ["a", "b", null] },
        at: { type: "string", format: "date-time" },
        parts: { type: "array", items: { $ref: "vendor#/$defs/Thing" } },
        colour: { type: "string" },
      },
    });
  });
  test("names the source by its digest", () => {
    expect(excerpt.sha256).not.toBe(makeSpecExcerpt(`${vendorFile} `, plan).sha256);
  });
  test("cuts references at a depth if asked to", () => {
    const cut = makeSpecExcerpt(vendorFile, { ...plan, schemas: ["Thing"], depths: {} });
    expect(cut.schemas["Thing"]?.properties?.["parts"]).toEqual({ type: "array" });
  });
  test("of an operation that the file does not have is refused", () => {
    expect(() => makeSpecExcerpt(vendorFile, { operations: ["GET /nothing"] })).toThrow(
      "has no GET /nothing",
    );
  });
});

describe("a check", () => {
  const check = createSpecCheck(excerpt);
  const headers = { "x-tenant": "t" };
  test.each([
    ["an unknown parameter", "GET /things", { query: { pages: "1" }, headers }, "unknown parameter: pages"],
    ["a parameter of a wrong type", "GET /things", { query: { page: "x" }, headers }, "integer"],
    ["a parameter out of range", "GET /things", { query: { page: "0" }, headers }, ">= 1"],
    ["a missing header", "GET /things", {}, "x-tenant"],
    ["a wrong path", "GET /things/{id}", { path: { id: "x" } }, "integer"],
    ["a missing property", "POST /things", { body: {}, mediaType: "application/json" }, "name"],
    ["no body", "POST /things", {}, "name"],
    [
      "an unknown property",
      "POST /things",
      { body: { name: "x", nam: 1 }, mediaType: "application/json" },
      "nam",
    ],
    [
      "a number as text in JSON",
      "POST /things",
      { body: { name: "x", size: "1" }, mediaType: "application/json" },
      "size",
    ],
  ])("refuses %s", (_, operation, parts, problem) => {
    expect(check.request(operation, parts)).toContain(problem);
  });
  test("converts parameters and form fields, which are texts", () => {
    const query = { page: "2" };
    expect(check.request("GET /things", { query, headers })).toBeNull();
    expect(query).toEqual({ page: 2 });
    const body = { name: "x", size: "1" };
    expect(check.request("POST /things", { body, mediaType: "multipart/form-data" })).toBeNull();
    expect(body).toEqual({ name: "x", size: 1 });
  });
  test.each([
    ["an extra property", { id: 1, extra: 1 }],
    ["a missing property", { name: "x" }],
    ["a wrong value", { id: 1, kind: "c" }],
    ["a wrong format", { id: 1, at: "yesterday" }],
    ["a mistake further in", { id: 1, parts: [{ id: "1" }] }],
  ])("throws for an answer with %s", (_, answer) => {
    expect(() => check.answer("GET /things", 200, [answer])).toThrow("Not an answer 200 of GET /things");
    expect(() => check.object("Thing", answer)).toThrow("Not a Thing");
  });
  test("takes one schema per status, and counts what has none", () => {
    const fresh = createSpecCheck(excerpt);
    fresh.answer("GET /things", 200, [{ id: 1 }]);
    fresh.answer("POST /things", 204, undefined);
    expect(() => fresh.answer("GET /things/{id}", 404, { message: "x" })).toThrow("404");
    expect([...fresh.unvalidated]).toEqual([]);
    fresh.answer("GET /things", 429, {});
    fresh.answer("GET /else", 200, {});
    expect(fresh.request("GET /else", {})).toBeNull();
    fresh.request("POST /things", { body: { name: "x" }, mediaType: "text/csv" });
    expect([...fresh.unvalidated.keys()]).toEqual([
      "GET /things 429",
      "GET /else 200",
      "GET /else request",
      "POST /things request",
    ]);
    expect(fresh.held).toEqual({ requests: 0, answers: 3 });
    fresh.request("GET /things", {});
    fresh.request("GET /things", { query: { unknown: 1 } });
    expect(fresh.held.requests).toBe(2);
  });
});

describe("an amendment", () => {
  const amended = (...amendments: readonly Amendment[]) => createSpecCheck(excerpt, amendments);
  const claim = { says: "So it is", marks: ["K"] as const };
  test("adds parameters and properties, and makes them optional", () => {
    const check = amended(
      { ...claim, operations: ["GET /things"], place: "query", properties: { size: { type: "integer" } } },
      { ...claim, operations: ["GET /things"], place: "header", optional: ["X-Tenant"] },
      { ...claim, schema: "Thing", properties: { shape: { type: "string" } }, optional: ["id"] },
    );
    expect(check.request("GET /things", { query: { size: "1" } })).toBeNull();
    check.answer("GET /things", 200, [{ shape: "round" }]);
    expect(() => check.answer("GET /things", 200, [{ shape: 1 }])).toThrow("shape");
  });
  test("adds bodies and answers", () => {
    const check = amended(
      {
        ...claim,
        operations: ["GET /things/{id}"],
        status: 200,
        answer: { type: "object", properties: { id: { type: "integer" } } },
      },
      { ...claim, operations: ["GET /things/{id}"], status: 404, properties: { detail: { type: "string" } } },
      { ...claim, operations: ["POST /things"], body: { type: "object", properties: { other: {} } } },
    );
    check.answer("GET /things/{id}", 404, { error: "x", detail: "y" });
    expect(() => check.answer("GET /things/{id}", 200, { name: 1 })).toThrow("200");
    expect(check.request("POST /things", { body: { name: "x" }, mediaType: "application/json" })).toContain(
      "name",
    );
  });
  test("of something that is not there is a mistake", () => {
    expect(() => amendExcerpt(excerpt, [{ ...claim, schema: "Ting" }])).toThrow("no schema Ting");
    expect(() => amendExcerpt(excerpt, [{ ...claim, operations: ["GET /ting"], place: "query" }])).toThrow(
      "no operation",
    );
  });
});
