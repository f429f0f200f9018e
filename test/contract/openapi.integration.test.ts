import { readFileSync } from "node:fs";
import { statusTexts } from "@portage/contract";
import { expect, test } from "vitest";
import { openApiFile, openApiText } from "../../checks/openapi.ts";
import { useApi } from "./api.ts";

const api = useApi();

test("the committed document matches the routes (npm run generate)", () => {
  expect(readFileSync(openApiFile, "utf8")).toBe(openApiText());
});

test("the API serves the committed document without authentication", async () => {
  const { status, json } = await api.ask({ path: "/docs/api/openapi.json" });
  expect(status).toBe(200);
  expect(json).toEqual(JSON.parse(readFileSync(openApiFile, "utf8")));
});

test("names the nine statuses and every property of a request", () => {
  const { components } = JSON.parse(openApiText()) as {
    components: { schemas: Record<string, { enum?: string[]; properties?: Record<string, object> }> };
  };
  expect(components.schemas.Status?.enum).toEqual(Object.values(statusTexts));
  expect(Object.keys(components.schemas.NewImport?.properties ?? {})).toEqual([
    "source_tool",
    "destination_instance_url",
    "destination_username",
    "destination_token",
    "start_full",
    "family",
    "reference",
  ]);
  expect(Object.keys(components.schemas).filter((name) => name.endsWith("Input"))).toEqual([]);
});
