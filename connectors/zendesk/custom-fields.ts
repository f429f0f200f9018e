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

/** Without what is empty. */
export const valuesOf = (
  given: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, CustomValue> =>
  Object.fromEntries(
    Object.entries(given ?? {})
      .map(([key, value]) => [key, valueOf(null, value)] as const)
      .filter(([, value]) => value !== null),
  );

/** A ticket's values, and its tags without those that only repeat a chosen option or a checked box. */
export const ticketValues = async (
  io: ZendeskIo,
  given: readonly { readonly id: number; readonly value?: unknown }[],
  tags: readonly string[],
) => {
  const fields = new Map((await fieldsOf(io, "ticket_fields")).map((field) => [field.id, field]));
  const chosen = new Set<CustomValue>();
  const values: Record<string, CustomValue> = {};
  for (const { id, value: raw } of given) {
    const field = fields.get(id);
    const value = field ? valueOf(field.type, raw) : null;
    if (!field || value === null) continue;
    values[String(id)] = value;
    if (field.type === "choice" || field.type === "choices")
      for (const tag of [value].flat()) chosen.add(tag);
    if (value === true && field.tag) chosen.add(field.tag);
  }
  return { customFields: values, tags: tags.filter((tag) => !chosen.has(tag)) };
};

/** Details and notes, which Zendesk keeps apart. */
export const plainNotes = (...parts: readonly (string | null | undefined)[]): RichText | null => {
  const text = parts.filter((part) => part).join("\n\n");
  return text === "" ? null : { format: "plain", text, references: [] };
};
