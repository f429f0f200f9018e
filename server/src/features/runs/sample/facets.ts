import { type FamilyRecord, type FamilyStream, isRichText, referencesOf } from "@portage/connector-kit";
import { oddIn, oddInRich, type OddText } from "./odd-texts.ts";

/** One thing that a sample should show at least once. */
export interface Facet {
  readonly stream: string;
  /** `field`: a custom field that has a value. `extreme`: the oldest, the newest, the longest … of its stream. */
  readonly about:
    | "field"
    | "author"
    | "relation"
    | "text"
    | "format"
    | "extreme"
    | (typeof wordFields)[number];
  /** The key of the field, the word, the relation, or the oddity of the text. */
  readonly value: string;
}

/** Fields that hold one word out of a few. */
const wordFields = [
  "status",
  "priority",
  "type",
  "state",
  "kind",
  "stage",
  "stageId",
  "channel",
  "activity",
  "visibility",
] as const;

export const isWordFacet = (about: string): boolean => (wordFields as readonly string[]).includes(about);

/** Fields that hold a record's text: without one there is nothing to read. */
const textFields: ReadonlySet<string> = new Set(["description", "body"]);

const separator = "\u001f";
const longestValue = 80;

export const facetKey = ({ stream, about, value }: Facet): string =>
  [stream, about, value.replaceAll(separator, " ")].join(separator);

export const facetOf = (key: string): Facet => {
  const [stream = "", about = "", value = ""] = key.split(separator);
  return { stream, about: about as Facet["about"], value };
};

const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

type Part = readonly [Facet["about"], string];

const authorOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return "none";
  const { stream, id } = value as { stream?: unknown; id?: unknown };
  return typeof stream === "string" && id !== null ? stream : "name_only";
};

const oddOf = (field: string, value: unknown): readonly OddText[] => {
  if (isRichText(value)) return oddInRich(value);
  if (typeof value === "string") return oddIn(value);
  return value === null && textFields.has(field) ? ["empty"] : [];
};

/** Every facet of a record, apart from those that need a comparison with others. */
export const facetsOf = (stream: FamilyStream, record: FamilyRecord): readonly Facet[] => {
  const fields = record as unknown as Readonly<Record<string, unknown>>;
  const parts: Part[] = [];
  for (const [key, value] of Object.entries(record.customFields))
    if (hasValue(value)) {
      parts.push(["field", key]);
      if (typeof value === "string") parts.push(...oddIn(value).map((odd): Part => ["text", odd]));
    }
  for (const about of wordFields) {
    const value = fields[about];
    if (typeof value === "string" && value !== "" && value.length <= longestValue) parts.push([about, value]);
  }
  if ("author" in stream.relations) parts.push(["author", authorOf(fields.author)]);
  for (const { field } of referencesOf(stream, record))
    if (field !== "author" && field !== stream.parent) parts.push(["relation", field]);
  if (record.tags.length > 0) parts.push(["relation", "tags"]);
  for (const [field, value] of Object.entries(fields)) {
    if (field === "id" || isWordFacet(field)) continue;
    if (isRichText(value)) parts.push(["format", value.format]);
    parts.push(...oddOf(field, value).map((odd): Part => ["text", odd]));
  }
  const all = parts.map(([about, value]): Facet => ({ stream: stream.name, about, value }));
  return [...new Map(all.map((facet) => [facetKey(facet), facet])).values()];
};

/** How much text a record holds: for the longest one. */
export const textLengthOf = (record: FamilyRecord): number =>
  Object.values(record).reduce<number>(
    (sum, value: unknown) => sum + (isRichText(value) ? value.text.length : 0),
    0,
  );
