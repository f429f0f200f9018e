import type { FamilyStream } from "@portage/connector-kit";
import { z } from "zod";

export type TargetKind =
  | "id"
  | "text"
  | "rich"
  | "moment"
  | "day"
  | "number"
  | "decimal"
  | "minutes"
  | "boolean"
  | "enum"
  | "texts"
  /** The id of another record; several; with the name of its stream. */
  | "ref"
  | "refs"
  | "pointer"
  | "pointers"
  | "stages";

/** A field of a family's record that a column can fill. */
export interface Target {
  /** `subject`, `author.email`, `address.city`. */
  readonly path: string;
  readonly kind: TargetKind;
  readonly required: boolean;
  readonly about: string;
  /** Of `enum`. */
  readonly options: readonly string[];
  /** The streams that it can point to. */
  readonly to: readonly string[];
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const special: Readonly<Record<string, TargetKind>> = {
  id: "id",
  "deals.amount": "decimal",
  "leads.amount": "decimal",
  "products.price": "decimal",
  "lineItems.price": "decimal",
  "lineItems.quantity": "decimal",
  "activities.minutes": "minutes",
  "timeEntries.minutes": "minutes",
  "tasks.estimatedMinutes": "minutes",
  "pipelines.stages": "stages",
};

const solidOf = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.type))
    return { ...schema, type: schema.type.find((type: string) => type !== "null") ?? "string" };
  const solid = schema.anyOf?.find(({ type }) => type !== "null");
  return solid ? { ...solid, description: schema.description ?? solid.description ?? "" } : schema;
};

const kindOf = (schema: JsonSchema): TargetKind => {
  if (schema.enum) return "enum";
  if (schema.format === "date-time") return "moment";
  if (schema.format === "date") return "day";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type === "boolean") return "boolean";
  return schema.type === "array" ? "texts" : "text";
};

const targetsIn = (
  stream: FamilyStream,
  name: string,
  given: JsonSchema,
  required: boolean,
): readonly Target[] => {
  const schema = solidOf(given);
  const to = stream.relations[name]?.to ?? [];
  const about = schema.description ?? "";
  const one = (kind: TargetKind, path = name): Target => ({
    path,
    kind,
    required,
    about,
    options: schema.enum ?? [],
    to,
  });
  const known = special[name] ?? special[`${stream.name}.${name}`];
  if (known) return [{ ...one(known), required: name === "id" ? false : required }];
  const { properties } = schema;
  if (properties && "references" in properties) return [one("rich")];
  if (properties && "email" in properties && "stream" in properties)
    return [
      one("ref", `${name}.id`),
      ...["name", "email"].map((part) => ({ ...one("text", `${name}.${part}`), to: [] })),
    ];
  if (properties && "stream" in properties) return [one("pointer")];
  if (properties)
    return Object.entries(properties).flatMap(([part, each]) => {
      const solid = solidOf(each);
      return { ...one(kindOf(solid), `${name}.${part}`), about: solid.description ?? "", required: false };
    });
  // A cell has no place for the parts of several objects.
  if (to.length === 0 && schema.items?.properties) return [];
  if (to.length > 0 && schema.type === "array") return [one(schema.items?.properties ? "pointers" : "refs")];
  return [one(to.length > 0 ? "ref" : kindOf(schema))];
};

const known = new WeakMap<FamilyStream, readonly Target[]>();

/** All fields of a stream's records that columns can fill, except custom fields. */
export const targetsOf = (stream: FamilyStream): readonly Target[] => {
  const made = known.get(stream);
  if (made) return made;
  const { properties = {}, required = [] } = z.toJSONSchema(stream.schema, { io: "input" }) as JsonSchema;
  const targets = Object.entries(properties)
    .filter(([name]) => name !== "customFields")
    .flatMap(([name, schema]) => targetsIn(stream, name, schema, required.includes(name)));
  known.set(stream, targets);
  return targets;
};

export const customPrefix = "customFields.";
