import { readFileSync } from "node:fs";
import type * as contract from "@portage/contract";
import { expect, expectTypeOf, test } from "vitest";
import type * as sdk from "../sdk/src/wire.ts";
import { readDocument, sdkWireFile, sdkWireText, type Document } from "./sdk-wire.ts";

test("the committed types match the document (npm run generate)", () => {
  expect(readFileSync(sdkWireFile, "utf8")).toBe(sdkWireText(readDocument()));
});

/** Checked by `npm run types`: the API's answers fit the SDK's types, and the SDK's requests fit the API's. */
test("the types agree with the server's contract", () => {
  expectTypeOf<contract.ImportDetail>().toExtend<sdk.Import>();
  expectTypeOf<contract.ImportEntry>().toExtend<sdk.ImportEntry>();
  expectTypeOf<contract.CreatedImport>().toExtend<sdk.CreatedImport>();
  expectTypeOf<contract.ImportEvent>().toExtend<sdk.ImportEvent>();
  expectTypeOf<contract.Tool>().toExtend<sdk.Tool>();
  expectTypeOf<contract.NewImportErrors>().toExtend<sdk.NewImportErrors>();
  expectTypeOf<contract.ErrorBody>().toExtend<sdk.ErrorAnswer>();
  expectTypeOf<sdk.NewImport>().toExtend<contract.NewImport>();
  expectTypeOf<sdk.Status>().toEqualTypeOf<contract.StatusText>();
  expectTypeOf<sdk.Family>().toEqualTypeOf<contract.Family>();
  expectTypeOf<sdk.ImportEvent["status_code"]>().toEqualTypeOf<contract.StatusCode>();
  expectTypeOf<sdk.ImportEvent["type"]>().toEqualTypeOf<contract.EventType>();
});

const withSchema = (schema: object): Document => ({
  paths: {},
  components: { schemas: { Thing: schema } },
});

test.each([
  ["an unknown word", { type: "string", not: {} }],
  ["an unknown type", { type: "date" }],
  ["no type", {}],
])("rejects a schema with %s instead of making a type that is too wide", (_, schema) => {
  expect(() => sdkWireText(withSchema(schema))).toThrow("no type is known");
});

test.each([
  [{ type: ["string", "null"] }, "string | null"],
  [{ anyOf: [{ enum: ["a", "b"] }, { type: "string" }] }, "string"],
  [{ type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
  [{ type: "object", additionalProperties: { type: "integer" } }, "Readonly<Record<string, number>>"],
  [{ $ref: "#/components/schemas/Error" }, "ErrorAnswer"],
  [
    { type: "object", properties: { "a-b": { type: "boolean", description: "x */ y" } } },
    '{\n  /** x * / y */\n  readonly "a-b"?: boolean | undefined;\n}',
  ],
])("%j", (schema, type) => {
  expect(sdkWireText(withSchema(schema))).toContain(`export type Thing = ${type};`);
});
