// `npm run generate` writes sdk/src/wire.ts from contract/openapi.json; a test fails when the file is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export const sdkWireFile = join(root, "sdk/src/wire.ts");

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly description?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content?: { readonly "application/json": { readonly schema: Schema } };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Keywords that don't affect the type, or that a type can't express. Any other keyword is an error. */
const silent = [
  "pattern",
  "maxLength",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "minItems",
  "format",
  "propertyNames",
  "examples",
];
const spoken = [
  "$ref",
  "type",
  "enum",
  "const",
  "anyOf",
  "items",
  "properties",
  "required",
  "additionalProperties",
];
const known = new Set([...silent, ...spoken, "description"]);

/** Names of global types. */
const renamed: Readonly<Record<string, string>> = { Error: "ErrorAnswer", Event: "ImportEvent" };
const nameOf = (name: string) => renamed[name] ?? name;

const scalars: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const comment = (text: string | undefined, indent: string) =>
  text ? `${indent}/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n` : "";

/** A literal beside the type that contains it is redundant. */
const union = (types: readonly string[]) =>
  [...new Set(types)].filter((type) => !(type.startsWith('"') && types.includes("string"))).join(" | ");

const property = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

const objectType = (schema: Schema, indent: string): string => {
  const { properties, additionalProperties, required = [] } = schema;
  const rest = additionalProperties && typeOf(additionalProperties, indent);
  if (!properties) return `Readonly<Record<string, ${rest ?? "unknown"}>>`;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, each]) => {
    const isRequired = required.includes(name);
    const type = isRequired ? typeOf(each, inner) : `${typeOf(each, inner)} | undefined`;
    return `${comment(each.description, inner)}${inner}readonly ${property(name)}${isRequired ? "" : "?"}: ${type};\n`;
  });
  const others = rest === undefined ? "" : `${inner}readonly [property: string]: ${rest} | undefined;\n`;
  return `{\n${lines.join("")}${others}${indent}}`;
};

const typeOf = (schema: Schema, indent: string): string => {
  const unknown = Object.keys(schema).filter((word) => !known.has(word));
  if (unknown.length > 0) throw new Error(`A schema says ${unknown.join(", ")}: no type is known for it.`);
  if (schema.$ref) return nameOf(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return union(schema.anyOf.map((each) => typeOf(each, indent)));
  const { type } = schema;
  if (Array.isArray(type))
    return union(type.map((each: string) => typeOf({ ...schema, type: each }, indent)));
  if (type === "array") return `readonly ${bracketed(typeOf(schema.items ?? {}, indent))}[]`;
  if (type === "object") return objectType(schema, indent);
  const scalar = scalars[String(type)];
  if (!scalar) throw new Error(`A schema of type ${String(type)}: no type is known for it.`);
  return scalar;
};

const bracketed = (type: string) => (type.includes(" | ") ? `(${type})` : type);

const schemaOf = (content: Content | undefined) => content?.content?.["application/json"].schema;

const operationText = (operation: Operation): string => {
  const { parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((each) => each.in === "query");
  const asked: Schema = {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = schemaOf(requestBody);
  const answered = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const answer = schemaOf(answered);
  return [
    comment(`${operation.summary}. ${operation.description}`, "  "),
    `  readonly ${operation.operationId}: {\n`,
    `    readonly query: ${query.length > 0 ? typeOf(asked, "    ") : "undefined"};\n`,
    `    readonly body: ${body ? typeOf(body, "    ") : "undefined"};\n`,
    `    readonly answer: ${answer ? typeOf(answer, "    ") : "undefined"};\n`,
    "  };\n",
  ].join("");
};

/** The types of all requests and answers, and the path of each operation. */
export const sdkWireText = ({ paths, components }: Document): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const types = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description, "")}export type ${nameOf(name)} = ${typeOf(schema, "")};\n`,
  );
  return [
    "// Made from contract/openapi.json by `npm run generate`.\n",
    ...types,
    `export interface Operations {\n${operations.map(({ operation }) => operationText(operation)).join("")}}\n`,
    `/** Method and path of every operation. */\nexport const routes = {\n${operations
      .map(({ method, path, operation }) => `  ${operation.operationId}: ["${method}", "${path}"],\n`)
      .join(
        "",
      )}} as const satisfies Readonly<Record<keyof Operations, readonly ["GET" | "POST", string]>>;\n`,
  ].join("\n");
};

export const readDocument = (): Document =>
  JSON.parse(readFileSync(join(root, "contract/openapi.json"), "utf8")) as Document;

if (import.meta.main) writeFileSync(sdkWireFile, sdkWireText(readDocument()));
