import {
  type CustomField,
  type CustomFieldType,
  type CustomValue,
  once,
  type RichText,
} from "@portage/connector-kit";
import { z } from "zod";
import { askAll } from "./ask.ts";
import type { ZendeskIo } from "./settings.ts";

const fieldRow = z.object({
  id: z.number(),
  /** Of people and organizations; tickets have the id. */
  key: z.string().nullish(),
  title: z.string(),
  type: z.string(),
  /** Of a checkbox: what a ticket is tagged with while it is checked. */
  tag: z.string().nullish(),
  required: z.boolean().nullish(),
  custom_field_options: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});

/** The types that people can add; all others are Zendesk's own fields, which records have by name. */
const types: Readonly<Record<string, CustomFieldType>> = {
  text: "text",
  textarea: "long-text",
  regexp: "text",
  partialcreditcard: "text",
  checkbox: "boolean",
  date: "date",
  integer: "number",
  decimal: "number",
  tagger: "choice",
  dropdown: "choice",
  multiselect: "choices",
};

const fieldsOf = once(async (io: ZendeskIo, list: string) =>
  (await askAll(io, { path: list, name: list, row: fieldRow })).flatMap((row) => {
    const type = types[row.type];
    return type ? [{ ...row, type }] : [];
  }),
);

export const customFieldsOf =
  (list: "ticket_fields" | "user_fields" | "organization_fields") =>
  async (io: ZendeskIo): Promise<readonly CustomField[]> =>
    (await fieldsOf(io, list)).map(({ id, key, title, type, required, custom_field_options: options }) => ({
      key: key ?? String(id),
      label: title,
      type,
      required: required ?? false,
      writable: true,
      // An option's value is a tag; its label is for people.
      ...(options ? { options: options.map(({ name, value }) => ({ value, label: name })) } : {}),
    }));

const customValue = z.union([z.string().min(1), z.number(), z.boolean(), z.array(z.string()).min(1)]);

const valueOf = (type: CustomFieldType | null, given: unknown): CustomValue => {
  const { data = null } = customValue.safeParse(given);
  // Zendesk writes numbers as texts.
  return type === "number" && typeof data === "string" && Number.isFinite(Number(data)) ? Number(data) : data;
};

const heldAs = ({ type, options = [] }: CustomField, value: CustomValue): CustomValue => {
  const isOption = (each: CustomValue) => options.some((option) => option.value === each);
  if (type === "choice") return isOption(value) ? value : null;
  if (type === "choices") return Array.isArray(value) ? value.filter(isOption) : null;
  if (type === "boolean") return typeof value === "boolean" ? value : null;
  if (type === "number") return typeof value === "number" ? value : null;
  if (typeof value !== "string") return null;
  return type === "date" && !/^\d{4}-\d\d-\d\d$/.test(value) ? null : value;
};

/** The values that Zendesk's fields can hold: it refuses a whole record for one option that it does not know. */
export const heldValues = (
  fields: readonly CustomField[],
  { customFields }: { readonly customFields: Readonly<Record<string, CustomValue>> },
): Record<string, CustomValue> =>
  valuesOf(
    Object.fromEntries(
      fields.map((field) => [field.key, heldAs(field, customFields[field.key] ?? null)] as const),
    ),
  );

/** Without what is empty. */
export const valuesOf = (
  given: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, CustomValue> =>
  Object.fromEntries(
    Object.entries(given ?? {})
      .map(([key, value]) => [key, valueOf(null, value)] as const)
      .filter(([, value]) => value !== null),
  );

/** The tags that a ticket has only because of its values. */
export const tagsOfValues = async (
  io: ZendeskIo,
  values: Readonly<Record<string, CustomValue>>,
): Promise<readonly string[]> =>
  (await fieldsOf(io, "ticket_fields")).flatMap(({ id, type, tag }) => {
    const value = values[String(id)] ?? null;
    if (type === "choice" || type === "choices") return value === null ? [] : [value].flat().map(String);
    return value === true && tag ? [tag] : [];
  });

/** A ticket's values, and its tags without those that only repeat a chosen option or a checked box. */
export const ticketValues = async (
  io: ZendeskIo,
  given: readonly { readonly id: number; readonly value?: unknown }[],
  tags: readonly string[],
) => {
  const fields = new Map((await fieldsOf(io, "ticket_fields")).map((field) => [field.id, field]));
  const values: Record<string, CustomValue> = {};
  for (const { id, value: raw } of given) {
    const field = fields.get(id);
    const value = field ? valueOf(field.type, raw) : null;
    if (value !== null) values[String(id)] = value;
  }
  const chosen = new Set(await tagsOfValues(io, values));
  return { customFields: values, tags: tags.filter((tag) => !chosen.has(tag)) };
};

/** Details and notes, which Zendesk keeps apart. */
export const plainNotes = (...parts: readonly (string | null | undefined)[]): RichText | null => {
  const text = parts.filter((part) => part).join("\n\n");
  return text === "" ? null : { format: "plain", text, references: [] };
};
