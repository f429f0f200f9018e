import { z } from "zod";
import { customValue } from "./custom-field.ts";

/** An id in the record's tool: the old tool when read, the new tool in a `Write`. */
export const id = z.string().min(1).max(512);

export const moment = z.iso
  .datetime()
  .describe("A moment in UTC, ISO 8601 with Z; years before 1970 are as good as any.");

export const day = z.iso.date().describe("A day without a time: 2026-11-15.");

export const richTextFormats = ["plain", "html", "markdown", "textile"] as const;

export const textReference = z.object({
  kind: z.enum(["image", "link"]).describe("Shown inside the text, or followed from it."),
  url: z.string().describe("As it stands in the text."),
  to: z
    .object({ stream: z.string(), id })
    .nullable()
    .describe("The record of the same tool that it leads to; null: elsewhere, left as it is."),
});

export type TextReference = z.infer<typeof textReference>;

export const richText = z.object({
  format: z.enum(richTextFormats).describe("How `text` is written."),
  text: z.string().describe("The text as the tool holds it; nothing is removed at reading."),
  references: z
    .array(textReference)
    .default([])
    .describe("The images and links in it that were recognised; each is rewritten to its copy."),
});

export type RichText = z.infer<typeof richText>;

/** Tells a record's texts from its other fields; it does not check what another program sent. */
export const isRichText = (value: unknown): value is RichText =>
  typeof value === "object" &&
  value !== null &&
  "format" in value &&
  "text" in value &&
  "references" in value;

export const who = z.object({
  stream: z.string().nullable().default(null).describe("The stream that holds this person; null: none does."),
  id: id
    .nullable()
    .default(null)
    .describe("The person's id there; null: known by name only, or not matched."),
  name: z
    .string()
    .nullable()
    .default(null)
    .describe("The name at the time; kept as provenance if unmatched."),
  email: z.string().nullable().default(null).describe("The e-mail address, if the tool tells."),
});

export type Who = z.infer<typeof who>;

/** Tells the people of a record from its other fields; it does not check what another program sent. */
export const isWho = (value: unknown): value is Who =>
  typeof value === "object" && value !== null && "id" in value && "name" in value && "email" in value;

export const author = who.nullable().default(null).describe("Who made it; null: the tool doesn't tell.");

export const visibility = z
  .enum(["public", "internal"])
  .describe("Internal: never seen by customers. When in doubt it is internal.");

/** The fields of every record of every family. */
export const recordFields = {
  id: id.describe("Unique in its stream and never reused; composite keys are joined."),
  createdAt: moment.nullable().default(null).describe("When it was made in the old tool."),
  updatedAt: moment.nullable().default(null).describe("When it was last changed in the old tool."),
  tags: z.array(z.string()).default([]).describe("Labels, by name."),
  customFields: z
    .record(z.string(), customValue)
    .default({})
    .describe("By the key of the CustomField; what is empty may be left out."),
};

/** What every stream of every family got after its first version. */
export const addedToAll = {
  externalId: z
    .string()
    .nullable()
    .default(null)
    .describe("Its id in another system, such as a customer number."),
};

/** A record of any stream that the relation names. */
export const pointer = z.object({ stream: z.string(), id });

export const text = (about: string) => z.string().describe(about);
export const optionalText = (about: string) => z.string().nullable().default(null).describe(about);
export const optionalRef = (about: string) => id.nullable().default(null).describe(about);
export const refs = (about: string) => z.array(id).default([]).describe(about);
export const optionalMoment = (about: string) => moment.nullable().default(null).describe(about);
export const optionalDay = (about: string) => day.nullable().default(null).describe(about);
export const optionalRichText = (about: string) => richText.nullable().default(null).describe(about);
export const optionalWho = (about: string) => who.nullable().default(null).describe(about);
export const optionalFlag = (about: string) => z.boolean().nullable().default(null).describe(about);
export const pointers = (about: string) => z.array(pointer).default([]).describe(about);
export const texts = (about: string) => z.array(z.string()).default([]).describe(about);
export const optionalNumber = (about: string) => z.number().nullable().default(null).describe(about);
