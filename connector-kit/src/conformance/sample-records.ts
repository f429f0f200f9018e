import { z } from "zod";
import type { FamilyRecord, FamilyStream, Relation } from "../families/stream.ts";
import { hostileLines, hostileMoments, hostileTexts, largeText } from "./hostile-texts.ts";
import { createRandom, type Random } from "./random.ts";

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface SampleOptions {
  readonly seed: string;
  /** The number of records in each stream, to which references point. Ids are "1" to this number. */
  readonly counts: Readonly<Record<string, number>>;
  /** Characters of the one large text, at index 7 of streams that have rich texts; 0: none. */
  readonly largeText: number;
  /** False: harmless texts only. */
  readonly hostile: boolean;
  /** False: the fields that the stream got later stay empty. */
  readonly fillsAdded?: boolean;
}

/** Creates a value from random numbers and the record's index. */
type Maker = (random: Random, index: number) => unknown;

const words = ["printer", "invoice", "login", "report", "upload", "screen", "password", "delivery", "order"];
const line = (random: Random) =>
  Array.from({ length: 3 + random.below(4) }, () => random.pick(words)).join(" ");
const momentOf = (random: Random) =>
  new Date(Date.UTC(2015, 0, 1) + random.below(10 * 365 * 86_400) * 1000).toISOString();

const variants = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf ??
  (Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : [schema]);

/** Records that cover a family's schema and hostile input; deterministic for a seed and an index. */
export const sampleRecords = <T extends FamilyRecord>(stream: FamilyStream<T>, options: SampleOptions) => {
  const { seed, counts, hostile, fillsAdded = true } = options;
  const countOf = (name: string) => counts[name] ?? 0;

  const reference = (relation: Relation, random: Random, index: number) => {
    const targets = relation.to.filter((name) => countOf(name) > 0);
    if (targets.length === 0) return null;
    const to = random.pick(targets);
    // Within a stream only to earlier records, so that no record is its own ancestor.
    const range = to === stream.name ? index : countOf(to);
    return range === 0 ? null : { stream: to, id: String(1 + random.below(range)) };
  };

  const text: Maker = (random, index) =>
    hostile && index < hostileLines.length ? hostileLines[index] : line(random);

  const richText: Maker = (random, index) => {
    const large = options.largeText > 0 && index === 7;
    const format = hostile ? random.pick(["plain", "html", "markdown", "textile"] as const) : "plain";
    const body =
      hostile && index < hostileTexts.length ? hostileTexts[index] : `${line(random)}.\n\n${line(random)}.`;
    return { format, text: large ? largeText(options.largeText) : body, references: [] };
  };

  const scalar = (schema: JsonSchema): Maker => {
    if (schema.enum) return (random) => random.pick(schema.enum ?? []);
    if (schema.format === "date-time")
      return (random, index) => (hostile && hostileMoments[index] ? hostileMoments[index] : momentOf(random));
    if (schema.format === "date") return (random) => momentOf(random).slice(0, 10);
    if (schema.type === "boolean") return (random) => random.next() < 0.5;
    if (schema.type === "number") return (random) => random.below(Math.min(schema.maximum ?? 1000, 1000));
    return text;
  };

  const relational = (schema: JsonSchema, relation: Relation): Maker => {
    if (schema.type === "array") {
      const one = relational(schema.items ?? {}, relation);
      return (random, index) => {
        const found = Array.from({ length: random.below(3) }, () => one(random, index)).filter(Boolean);
        return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
      };
    }
    if (!schema.properties) return (random, index) => reference(relation, random, index)?.id ?? null;
    const named = "name" in schema.properties;
    const { stream: _, id: __, ...others } = schema.properties;
    const about = Object.entries(others).map(([name, each]) => [name, maker(each, undefined)] as const);
    return (random, index) => {
      const to = reference(relation, random, index);
      if (!to) return to;
      if (!named)
        return { ...to, ...Object.fromEntries(about.map(([name, make]) => [name, make(random, index)])) };
      return { ...to, name: `Person ${to.id}`, email: `person${to.id}@example.com` };
    };
  };

  const maker = (schema: JsonSchema, relation: Relation | undefined): Maker => {
    const either = variants(schema);
    const nullable = either.some(({ type }) => type === "null");
    const solid = either.find(({ type }) => type !== "null") ?? schema;
    if (nullable) {
      const some = maker(solid, relation);
      return (random, index) => (random.next() < 0.2 ? null : some(random, index));
    }
    if (relation) return relational(solid, relation);
    if (solid.properties && "references" in solid.properties) return richText;
    if (solid.properties) {
      const fields = Object.entries(solid.properties).map(
        ([name, each]) => [name, maker(each, undefined)] as const,
      );
      return (random, index) => Object.fromEntries(fields.map(([name, make]) => [name, make(random, index)]));
    }
    if (solid.type === "array") {
      const one = maker(solid.items ?? {}, undefined);
      return (random, index) => [
        ...new Set(Array.from({ length: random.below(3) }, () => one(random, index))),
      ];
    }
    return scalar(solid);
  };

  const { properties = {} } = z.toJSONSchema(stream.schema, { io: "output" }) as JsonSchema;
  const fields = Object.entries(properties)
    .filter(([name]) => name !== "id" && name !== "customFields")
    .map(([name, schema]) => [name, maker(schema, stream.relations[name])] as const);

  const isNullable = (name: string) => variants(properties[name] ?? {}).some(({ type }) => type === "null");
  /** A redirect may lead to no record, so it can do without one. */
  const needed = Object.entries(stream.relations).flatMap(([name, { missing }]) =>
    missing === "skip" && !isNullable(name) ? [name] : [],
  );

  /** The record at an index from 0; null if its parent does not exist. */
  const at = (index: number): T | null => {
    const random = createRandom(`${seed}/${stream.family}/${stream.name}`, index);
    const id = String(index + 1);
    const record: Record<string, unknown> = { id };
    // From numbers of their own: a field that is added changes nothing else.
    const ofAdded = createRandom(`${seed}/${stream.family}/${stream.name}/added`, index);
    for (const [name, make] of fields) {
      const isAdded = stream.addedFields.includes(name);
      const value = make(isAdded ? ofAdded : random, index);
      record[name] = isAdded && !fillsAdded ? (Array.isArray(value) ? [] : null) : value;
    }
    for (const name of needed) if (record[name] === null) return null;
    const created = Date.parse(typeof record.createdAt === "string" ? record.createdAt : momentOf(random));
    record.createdAt = new Date(created).toISOString();
    record.updatedAt = new Date(
      Math.max(created, Date.UTC(2025, 0, 1)) + random.below(1_000_000) * 1000,
    ).toISOString();
    record.customFields = {
      color: random.pick(["red", "green", null]),
      size: random.below(100),
      note: text(random, index),
    };
    if (stream.kind === "people") {
      record.email = `person${id}@example.com`;
      record.name = `Person ${id}`;
      record.active = true;
    }
    if (stream.kind === "file") {
      record.fileName = `file-${id}.bin`;
      record.contentType = "application/octet-stream";
      // With bytes: a link has none.
      if (stream.addedFields.includes("url")) record.url = null;
    }
    return record as unknown as T;
  };
  return { at };
};
