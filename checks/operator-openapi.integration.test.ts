import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isChange } from "../server/src/http/operator/operation.ts";
import { operatorOpenApiFile, operatorOpenApiText, operatorOperations } from "./operator-openapi.ts";

test("the committed document matches the routes (npm run generate)", () => {
  expect(readFileSync(operatorOpenApiFile, "utf8")).toBe(operatorOpenApiText());
});

test("every change takes a reason and an idempotency key, and names its role", () => {
  const { paths } = JSON.parse(operatorOpenApiText()) as {
    paths: Record<
      string,
      Record<string, { description: string; parameters: { name: string }[]; requestBody?: unknown }>
    >;
  };
  for (const operation of operatorOperations()) {
    const { id, method, path, role } = operation;
    const described = paths[path.replace(":id", "{id}")]?.[method.toLowerCase()];
    expect(described?.description, id).toContain(`Role: ${role}.`);
    const names = described?.parameters.map(({ name }) => name) ?? [];
    expect(names, id).toContain("X-Reason");
    expect(names.includes("Idempotency-Key"), id).toBe(isChange(operation));
    if (method === "POST" || method === "PUT")
      expect(JSON.stringify(described?.requestBody), id).toContain('"reason"');
  }
});
