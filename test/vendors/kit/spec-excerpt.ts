import { createHash } from "node:crypto";

/** The part of a JSON schema that the checks use. */
export interface Shape {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** One call: its parameters by place, its bodies by media type, its answers by status. */
export interface OperationShape {
  readonly path: Shape;
  readonly query: Shape;
  readonly header: Shape;
  readonly bodies: Readonly<Record<string, Shape>>;
  /** Null: the vendor's file has the status and describes no body. */
  readonly answers: Readonly<Record<string, Shape | null>>;
}

/** The facts of a vendor's description that bind a stand-in: names, types, allowed values. No prose. */
export interface SpecExcerpt {
  readonly version: string;
  /** Of the file that it was made from. */
  readonly sha256: string;
  /** By method and path. */
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** What operations refer to, as `vendor#/$defs/NAME`. */
  readonly schemas: Readonly<Record<string, Shape>>;
}

export interface ExcerptPlan {
  /** The operations that we call; the rest of the vendor's API is left out. */
  readonly operations: readonly string[];
  /** Schemas to keep besides those that the operations refer to. */
  readonly schemas?: readonly string[];
  /**
   * For files whose objects refer to nearly all others: references are resolved down to this depth, those below keep
   * only their type. Without it, each schema is kept once, under its name.
   */
  readonly depths?: Readonly<Record<string, number>>;
}

interface VendorSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, VendorSchema>>;
  readonly additionalProperties?: VendorSchema | boolean;
  readonly items?: VendorSchema;
  readonly allOf?: readonly VendorSchema[];
  readonly anyOf?: readonly VendorSchema[];
  readonly oneOf?: readonly VendorSchema[];
}

type Ref<T> = T | { readonly $ref: string };

interface VendorParameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: VendorSchema;
}

interface VendorContent {
  readonly schema?: VendorSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Ref<{ readonly value?: unknown }>>>;
}

interface VendorBody {
  readonly content?: Readonly<Record<string, VendorContent>>;
}

interface VendorOperation {
  readonly parameters?: readonly Ref<VendorParameter>[];
  readonly requestBody?: Ref<VendorBody>;
  readonly responses?: Readonly<Record<string, Ref<VendorBody>>>;
}

interface VendorFile {
  readonly info: { readonly version: string };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, VendorOperation>> & { readonly parameters?: readonly Ref<VendorParameter>[] }
    >
  >;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const present = (entries: Readonly<Record<string, unknown>>): Shape =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

const mapValues = <T, R>(given: Readonly<Record<string, T>>, map: (value: T, name: string) => R) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value, name)]));

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

const resolver = (file: VendorFile) => {
  const resolve = <T>(given: Ref<T>): T => {
    if (typeof given !== "object" || given === null || !("$ref" in given)) return given;
    const { $ref: reference } = given as { $ref?: string };
    if (reference === undefined) return given as T;
    const [kind = "", name = ""] = reference.replace("#/components/", "").split("/");
    const found = file.components[kind]?.[name];
    if (found === undefined) throw new Error(`The vendor's file has no ${reference}.`);
    return resolve(found as Ref<T>);
  };
  return resolve;
};

type Resolve = ReturnType<typeof resolver>;

/** Parts of one object are one shape: a closed part would refuse the properties of the others. */
const mergeParts = (schema: VendorSchema, resolve: Resolve): VendorSchema => {
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf, own].map((part) => mergeParts(resolve(part), resolve));
  const alternative = parts.find(({ anyOf, oneOf }) => anyOf ?? oneOf);
  // An object that is one of several, with properties of its own: the first of them decides.
  const first = alternative && resolve((alternative.anyOf ?? alternative.oneOf)?.[0] ?? {});
  const all = first ? [...parts, mergeParts(first, resolve)] : parts;
  const required = all.flatMap((part) => part.required ?? []);
  return {
    ...own,
    type: "object",
    properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})) as Record<
      string,
      VendorSchema
    >,
    ...(required.length > 0 && { required }),
  };
};

const orNull = (type: string | readonly string[] | undefined, nullable: boolean | undefined) =>
  nullable && type !== undefined ? [...new Set([type, "null"].flat())] : type;

const reducer = (resolve: Resolve, plan: ExcerptPlan, refer: (name: string) => Shape) => {
  const { depths, schemas = [] } = plan;
  const reduce = (given: VendorSchema, depth: number): Shape => {
    if (given.$ref !== undefined && depth > 0) {
      const name = nameIn(given.$ref);
      if (!depths || (schemas.includes(name) && depth > 0))
        return given.nullable ? { anyOf: [refer(name), { type: "null" }] } : refer(name);
    }
    return reduceWhole(mergeParts(resolve(given), resolve), given.nullable, depth);
  };
  const reduceWhole = (schema: VendorSchema, asNullable: boolean | undefined, depth: number): Shape => {
    const nullable = asNullable ?? schema.nullable;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices)
      return depth > 0
        ? { anyOf: [...choices.map((part) => reduce(part, depth)), ...(nullable ? [{ type: "null" }] : [])] }
        : {};
    const type = schema.type ?? (schema.properties ? "object" : undefined);
    if (type === undefined) return {};
    const { properties, additionalProperties, items } = schema;
    const inside = depth > 0 ? properties : undefined;
    return present({
      type: orNull(type, nullable),
      format: schema.format,
      enum: schema.enum && (nullable ? [...schema.enum, null] : schema.enum),
      minimum: schema.minimum,
      maximum: schema.maximum,
      maxLength: schema.maxLength,
      maxItems: schema.maxItems,
      items: items && depth > 0 ? reduce(items, depth) : undefined,
      required: inside && schema.required?.length ? schema.required : undefined,
      properties:
        inside &&
        mapValues(inside, (part, name) => reduce(part, depths ? (depths[name] ?? depth - 1) : depth)),
      additionalProperties:
        typeof additionalProperties === "object"
          ? reduce(additionalProperties, depths ? 1 : depth)
          : additionalProperties,
    });
  };
  return { reduce, reduceWhole };
};

type Open = { -readonly [K in keyof Shape]: Shape[K] };

const typeName = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
};

/**
 * The vendor's own examples are facts as well: a property that one shows as null may be null, one that the schema left
 * out exists. Only names and types are taken.
 */
const admitExample = (shape: Open, value: unknown, find: (shape: Open) => Open): void => {
  const at = find(shape);
  const choices = at["anyOf"] as Open[] | undefined;
  if (choices) {
    const fits = choices.map(find).find((each) => [each["type"]].flat().includes(typeName(value)));
    if (value === null && !fits) choices.push({ type: "null" });
    else if (fits) admitExample(fits, value, find);
    return;
  }
  const types = [at["type"]].flat().filter((each): each is string => typeof each === "string");
  if (types.length === 0) return;
  const type = typeName(value);
  const known = types.includes(type) || (type === "integer" && types.includes("number"));
  if (!known) {
    at["type"] = [...types, type];
    if (type === "null" && Array.isArray(at["enum"])) at["enum"] = [...(at["enum"] as unknown[]), null];
  }
  if (Array.isArray(value)) {
    if (value.length > 0) at["items"] ??= {};
    for (const item of value) admitExample(at["items"] as Open, item, find);
    return;
  }
  if (typeof value !== "object" || value === null || !at["properties"]) return;
  const properties = at["properties"] as Record<string, Open>;
  for (const [name, part] of Object.entries(value)) {
    properties[name] ??= { type: typeName(part) };
    admitExample(properties[name], part, find);
  }
};

/** Made from the vendor's file, so that a clean clone can check without that file. */
export const makeSpecExcerpt = (text: string, plan: ExcerptPlan): SpecExcerpt => {
  const file = JSON.parse(text) as VendorFile;
  const resolve = resolver(file);
  const schemas: Record<string, Shape> = {};
  const refer = (name: string): Shape => {
    if (!(name in schemas)) {
      schemas[name] = {};
      const whole = mergeParts(resolve<VendorSchema>({ $ref: `#/components/schemas/${name}` }), resolve);
      schemas[name] = reduceWhole(whole, undefined, 1);
    }
    return { $ref: `vendor#/$defs/${name}` };
  };
  const { reduce, reduceWhole } = reducer(resolve, plan, refer);
  for (const name of plan.schemas ?? []) refer(name);
  const find = (shape: Open): Open =>
    typeof shape["$ref"] === "string" ? (schemas[nameIn(shape["$ref"])] ?? {}) : shape;

  const contentOf = (body: Ref<VendorBody> | undefined) =>
    Object.entries((body && resolve(body).content) ?? {}).flatMap(([mediaType, { schema, ...more }]) => {
      if (!schema) return [];
      const shape = reduce(schema, 1);
      const examples = [
        more.example,
        ...Object.values(more.examples ?? {}).map((each) => resolve(each).value),
      ];
      for (const example of examples) if (example !== undefined) admitExample(shape, example, find);
      return [[mediaType, shape] as const];
    });
  const operationOf = (name: string): OperationShape => {
    const [method = "", path = ""] = name.split(" ");
    const item = file.paths[path];
    const operation = item?.[method.toLowerCase()];
    if (!operation) throw new Error(`The vendor's file has no ${name}.`);
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
      resolve(each),
    );
    const place = (where: string): Shape => {
      // A vendor's file may list a path's parameter at an operation without it.
      const here = parameters.filter(
        (each) => each.in === where && (where !== "path" || path.includes(`{${each.name}}`)),
      );
      const required = here.filter((each) => each.required).map((each) => each.name);
      return {
        type: "object",
        properties: Object.fromEntries(here.map((each) => [each.name, reduce(each.schema ?? {}, 1)])),
        ...(required.length > 0 && { required }),
      };
    };
    return {
      path: place("path"),
      query: place("query"),
      header: place("header"),
      bodies: Object.fromEntries(contentOf(operation.requestBody)),
      answers: mapValues(
        operation.responses ?? {},
        (answer) => contentOf(answer).find(([mediaType]) => mediaType.includes("json"))?.[1] ?? null,
      ),
    };
  };
  return {
    version: file.info.version,
    sha256: createHash("sha256").update(text).digest("hex"),
    operations: Object.fromEntries(plan.operations.map((name) => [name, operationOf(name)])),
    schemas,
  };
};
