import { customFieldTypes } from "@portage/connector-kit";
import { z } from "zod";

/** A longer list is not matched by hand. */
export const maxPeople = 50_000;
/** Fields of a stream, options of a field, words of a field. */
export const maxEntries = 5_000;
const longestKey = 512;
const longestWord = 1_000;

/** PostgreSQL's jsonb accepts neither a NUL nor a lone surrogate. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

const key = z
  .string()
  .min(1)
  .max(longestKey)
  .refine((text) => isStorable(text) && text !== "__proto__", "Not a key that can be kept.");
const id = key;
const word = z
  .string()
  .max(longestWord)
  .refine((text) => isStorable(text) && text !== "__proto__", "Not a word that can be kept.");

/** The name of a stream, a field of the family, or a meaning. */
const name = z.string().regex(/^[A-Za-z][A-Za-z_]{0,63}$/);

/** Whether a mapping can name it; other keys stay as they are. */
export const isKey = (text: string): boolean => key.safeParse(text).success;
export const isWord = (text: string): boolean => word.safeParse(text).success;
export const toLabel = (text: string): string =>
  text.slice(0, longestWord).toWellFormed().replaceAll("\0", "");

const atMost = <T>(most: number) =>
  [
    (all: Readonly<Record<string, T>>) => Object.keys(all).length <= most,
    `At most ${most} entries.`,
  ] as const;

const personChoice = z.discriminatedUnion("to", [
  z.object({ to: z.literal("person"), id: id.describe("Of the destination.") }),
  z.object({ to: z.literal("copy") }).describe("Written as a record, like any other."),
  z.object({ to: z.literal("default") }),
  z.object({ to: z.literal("nobody") }).describe("The name stays as provenance."),
]);

const people = z.object({
  choices: z
    .record(id, personChoice)
    .refine(...atMost(maxPeople))
    .default({})
    .describe("By the id in the source's stream of people."),
  unmatched: z.enum(["copy", "default", "nobody"]).default("copy").describe("For whom there is no choice."),
  defaultId: id.nullable().default(null).describe("The destination's person whom `default` means."),
});

const fieldChoice = z.discriminatedUnion("as", [
  z.object({
    as: z.literal("field"),
    to: key.describe("The key of the destination's field."),
    options: z
      .record(word, word.nullable())
      .refine(...atMost(maxEntries))
      .default({})
      .describe("From an option to another; null: left empty. What is not listed goes by its word."),
  }),
  z
    .object({ as: z.literal("create") })
    .describe("The destination gets a field of this name and type, before anything is copied."),
  z.object({ as: z.literal("note") }).describe("Goes along under its label, where the tool has a place."),
  z.object({ as: z.literal("nothing") }).describe("Left behind."),
]);

const wordChoice = z.object({
  to: word.nullable().describe("The destination's word; null: left empty."),
  kind: name.nullable().default(null).describe("What it means; null: what it meant before."),
});

const keptText = z.string().max(100_000).refine(isStorable, "Not a text that can be kept.");
const customValue = z.union([keptText, z.number(), z.boolean(), z.array(keptText).max(maxEntries), z.null()]);

const fieldShape = z.object({
  label: word,
  type: z.enum(customFieldTypes),
  options: z
    .array(z.object({ value: word, label: word }))
    .nullable()
    .default(null),
  maxLength: z.int().min(1).nullable().default(null),
});

const shapes = z
  .record(key, fieldShape)
  .refine(...atMost(maxEntries))
  .default({});

const streamMapping = z.object({
  fields: z
    .record(key, fieldChoice)
    .refine(...atMost(maxEntries))
    .default({})
    .describe(
      "By the key of the source's field. What is not listed goes along under its key, with a report.",
    ),
  words: z
    .record(name, z.record(word, wordChoice).refine(...atMost(maxEntries)))
    .default({})
    .describe(
      "By field, then by the source's word; the empty word stands for none. Others stay as they are.",
    ),
  fills: z
    .record(key, customValue)
    .default({})
    .describe("What the destination's fields hold where nothing else is put."),
  source: shapes.describe("The source's fields as they were when they were matched."),
  destination: shapes.describe("The destination's fields as they were when they were matched."),
});

/** A longer list of values is not chosen by hand. */
const maxValues = 500;

/** Limits records by the values of one property; the empty value stands for none. */
const filterSchema = z.object({
  mode: z
    .enum(["only", "except"])
    .describe("`except` also moves records with a value that Portage has not seen yet."),
  values: z.array(word).min(1).max(maxValues),
});

const noLimit = filterSchema.nullable().default(null);

export const selectionSchema = z.object({
  streams: z.array(name).max(100).nullable().default(null).describe("Null: all that can move."),
  createdFrom: z.iso.datetime().nullable().default(null).describe("Made at this moment or later."),
  createdBefore: z.iso.datetime().nullable().default(null).describe("Made before this moment."),
  changedFrom: z.iso.datetime().nullable().default(null).describe("Changed at this moment or later."),
  changedBefore: z.iso.datetime().nullable().default(null).describe("Changed before this moment."),
  statuses: noLimit.describe("By the source's own words."),
  groups: noLimit.describe("By the source's ids of groups, projects or pipelines."),
  tags: noLimit.describe("By name; a record with several counts if one of them is listed."),
});

/**
 * The customer's decisions, with everything needed to carry them out: the result for a record stays the same, whatever
 * changes in the tools meanwhile.
 */
export const mappingSchema = z.object({
  selection: selectionSchema.prefault({}),
  people: people.prefault({}),
  streams: z
    .record(name, streamMapping)
    .default({})
    .describe("A stream that is not listed goes as it is, by the connector's own sense."),
});

export type Mapping = z.output<typeof mappingSchema>;
export type Selection = z.output<typeof selectionSchema>;
export type SelectionFilter = z.output<typeof filterSchema>;
export type PersonChoice = z.output<typeof personChoice>;
export type FieldChoice = z.output<typeof fieldChoice>;
export type FieldShape = z.output<typeof fieldShape>;
export type StreamMapping = z.output<typeof streamMapping>;
export type WordChoice = z.output<typeof wordChoice>;

export const emptyMapping: Mapping = mappingSchema.parse({});
