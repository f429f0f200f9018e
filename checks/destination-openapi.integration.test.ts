import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { destinationOpenApiFile, destinationOpenApiText } from "./destination-openapi.ts";

const document = JSON.parse(destinationOpenApiText()) as {
  paths: Record<string, { post: { operationId: string; responses: Record<string, unknown> } }>;
  components: { schemas: Record<string, object> };
};

test("the committed document matches the schemas (npm run generate)", () => {
  expect(readFileSync(destinationOpenApiFile, "utf8")).toBe(destinationOpenApiText());
});

test("redocly reports no problems", async () => {
  const redocly = new URL("../node_modules/.bin/redocly", import.meta.url).pathname;
  const { stderr } = await promisify(execFile)(redocly, ["lint", destinationOpenApiFile], {
    cwd: new URL("..", import.meta.url).pathname,
    env: { ...process.env, REDOCLY_TELEMETRY: "off" },
  });
  expect(stderr).not.toMatch(/warning/i);
});

test("has the calls and the files, each with every error", () => {
  expect(Object.keys(document.paths)).toEqual([
    "/describe",
    "/write",
    "/find",
    "/read",
    "/remove",
    "/create-field",
    "/remove-field",
    "/files",
    "/files/open",
  ]);
  for (const { post } of Object.values(document.paths))
    expect(Object.keys(post.responses)).toEqual([
      "200",
      "400",
      "401",
      "404",
      "409",
      "413",
      "422",
      "429",
      "500",
      "503",
    ]);
});

test("the schemas agree with the code about each call", () => {
  const ajv = new Ajv.default({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "doc", components: document.components });
  const valid = (name: string, value: unknown) =>
    ajv.validate({ $ref: `doc#/components/schemas/${name}` }, value);
  const call = { call: "write", timestamp: 1, family: "helpdesk", stream: "groups" };
  const item = { key: "imp:1", id: null, record: { id: "7", name: "Crew" } };
  expect(valid("WriteCall", { ...call, items: [item] })).toBe(true);
  expect(valid("WriteCall", { ...call, items: [{ ...item, key: "No Spaces" }] })).toBe(false);
  expect(valid("WriteCall", { ...call, call: "remove", items: [item] })).toBe(false);
  expect(valid("helpdesk.tickets", { id: "1", subject: "S", status: "new", statusKind: "odd" })).toBe(false);
});
