import { createHash } from "node:crypto";

/** The part of a JSON schema that this check uses. */
export interface Shape {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** The facts of the vendor's description that bind the double: names, types, allowed values. No prose. */
export interface SpecExcerpt {
  readonly version: string;
  /** The version of the file that it was made from. */
  readonly sha256: string;
  /** By method and path: the parameters of a request. */
  readonly requests: Readonly<Record<string, Shape>>;
  readonly objects: Readonly<Record<string, Shape>>;
}

interface VendorSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, VendorSchema>>;
  readonly additionalProperties?: VendorSchema | boolean;
  readonly items?: VendorSchema;
  readonly anyOf?: readonly VendorSchema[];
}

interface VendorOperation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema: VendorSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: VendorSchema }>> };
}

interface VendorFile {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, VendorOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, VendorSchema>> };
}

/** The operations that we call; the rest of the vendor's API is left out. */
const operations = [
  "POST /v1/checkout/sessions",
  "GET /v1/checkout/sessions",
  "GET /v1/checkout/sessions/{session}",
  "POST /v1/checkout/sessions/{session}/expire",
  "GET /v1/payment_intents/{intent}",
  "POST /v1/refunds",
  "GET /v1/refunds",
  "GET /v1/refunds/{refund}",
  "GET /v1/events",
  "GET /v1/events/{id}",
];
const objects = ["checkout.session", "payment_intent", "refund", "charge", "event", "error"];

/** How deep references are followed; deeper ones keep only their type. */
const depths: Readonly<Record<string, number>> = {
  line_items: 3,
  automatic_tax: 1,
  payment_intent_data: 1,
  total_details: 1,
  error: 1,
  data: 1,
};

const present = (entries: Readonly<Record<string, unknown>>): Shape =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

const reducer = (schemas: VendorFile["components"]["schemas"]) => {
  const resolve = (schema: VendorSchema): VendorSchema => {
    if (schema.$ref === undefined) return schema;
    const found = schemas[schema.$ref.replace("#/components/schemas/", "")];
    if (!found) throw new Error(`The vendor's file has no ${schema.$ref}.`);
    return found;
  };
  const kind = (schema: VendorSchema): string | undefined =>
    schema.type ?? (schema.properties ? "object" : undefined);
  const orNull = (type: string, nullable: boolean | undefined) => (nullable ? [type, "null"] : type);

  const reduce = (given: VendorSchema, depth: number, closed: boolean): Shape => {
    const schema = resolve(given);
    const nullable = given.nullable ?? schema.nullable;
    if (schema.anyOf)
      return depth > 0
        ? {
            anyOf: [
              ...schema.anyOf.map((part) => reduce(part, depth, closed)),
              ...(nullable ? [{ type: "null" }] : []),
            ],
          }
        : {};
    const type = kind(schema);
    if (type === undefined) return {};
    const { properties, additionalProperties } = schema;
    const inside = depth > 0 && type === "object" && properties;
    return present({
      type: orNull(type, nullable),
      enum: schema.enum && (nullable ? [...schema.enum, null] : schema.enum),
      maxLength: schema.maxLength,
      items: type === "array" && schema.items && depth > 0 ? reduce(schema.items, depth, closed) : undefined,
      required: inside ? schema.required : undefined,
      properties: inside
        ? Object.fromEntries(
            Object.entries(inside).map(([name, part]) => [
              name,
              reduce(part, depths[name] ?? depth - 1, closed),
            ]),
          )
        : undefined,
      additionalProperties:
        typeof additionalProperties === "object"
          ? reduce(additionalProperties, 1, closed)
          : inside && closed
            ? false
            : undefined,
    });
  };
  return reduce;
};

/** Made from the vendor's file, so that a clean clone can check without that file. */
export const makeSpecExcerpt = (text: string): SpecExcerpt => {
  const file = JSON.parse(text) as VendorFile;
  const reduce = reducer(file.components.schemas);
  const requestOf = (name: string): Shape => {
    const [method = "", path = ""] = name.split(" ");
    const operation = file.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`The vendor's file has no ${name}.`);
    const body = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema;
    if (method === "POST")
      return body?.properties
        ? reduce({ ...body, type: "object" }, 1, true)
        : { type: "object", additionalProperties: false };
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    return {
      type: "object",
      properties: Object.fromEntries(
        query.map(({ name: field, schema }) => [field, reduce(schema, 1, true)]),
      ),
      additionalProperties: false,
    };
  };
  return {
    version: file.info.version,
    sha256: createHash("sha256").update(text).digest("hex"),
    requests: Object.fromEntries(operations.map((name) => [name, requestOf(name)])),
    objects: Object.fromEntries(
      objects.map((name) => [name, reduce(file.components.schemas[name] ?? {}, 1, false)]),
    ),
  };
};
