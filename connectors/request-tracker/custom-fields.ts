import { type CustomField, type CustomFieldType, type CustomValue, once } from "@portage/connector-kit";
import { z } from "zod";
import { askOne, askWholeList } from "./ask.ts";
import { fromRtTime, toRtTime } from "./moments.ts";
import type { RtIo } from "./settings.ts";

const fieldRow = z.object({
  id: z.coerce.string(),
  Name: z.string(),
  Type: z.string(),
  MaxValues: z.coerce.number(),
  LookupType: z.string(),
  Disabled: z.coerce.number(),
});
type FieldRow = z.infer<typeof fieldRow>;

/** The objects that RT adds custom fields to. */
export const ticketFields = "RT::Queue-RT::Ticket";
export const articleFields = "RT::Class-RT::Article";

/** The values of each row by field id. File values are objects, which no family has. */
export const valueRows = z
  .array(z.object({ id: z.coerce.string(), name: z.string(), values: z.array(z.unknown()).catch([]) }))
  .catch([]);
export type ValueRows = z.infer<typeof valueRows>;

const allFields = once((io: RtIo) =>
  askWholeList(io, {
    path: "customfields",
    row: fieldRow,
    fields: Object.keys(fieldRow.shape),
    limits: [{ field: "id", operator: ">", value: 0 }],
  }),
);

/** The enabled custom fields of one kind of object. */
export const fieldsOf = async (io: RtIo, lookupType: string): Promise<readonly FieldRow[]> =>
  (await allFields(io)).filter((each) => each.LookupType === lookupType && each.Disabled === 0);

const holdsFiles = ({ Type }: FieldRow) => Type === "Image" || Type === "Binary";

const typeOf = ({ Type, MaxValues }: FieldRow): CustomFieldType => {
  if (MaxValues !== 1) return "choices";
  const types: Readonly<Record<string, CustomFieldType>> = {
    Select: "choice",
    Text: "long-text",
    Wikitext: "long-text",
    HTML: "long-text",
    Date: "date",
    DateTime: "moment",
  };
  return types[Type] ?? "text";
};

const optionsOf = async (io: RtIo, { id }: FieldRow) => {
  const row = z.object({ Values: z.array(z.union([z.string(), z.object({ name: z.string() })])).catch([]) });
  const values = (await askOne(io, `customfield/${id}`, row))?.Values ?? [];
  const names = values.map((value) => (typeof value === "string" ? value : value.name));
  return names.map((name) => ({ value: name, label: name }));
};

/** For the mapping: all custom fields except the one that holds our key. */
export const customFieldsOf =
  (lookupType: string) =>
  async (io: RtIo): Promise<readonly CustomField[]> => {
    const own = io.settings.externalIdField;
    const fields = (await fieldsOf(io, lookupType)).filter((each) => !holdsFiles(each) && each.Name !== own);
    return Promise.all(
      fields.map(async (field) => ({
        key: field.id,
        label: field.Name,
        type: typeOf(field),
        required: false,
        writable: true,
        ...(field.Type === "Select" ? { options: await optionsOf(io, field) } : {}),
      })),
    );
  };

const fromRt = (type: string, value: string): string =>
  type === "DateTime" ? (fromRtTime(value) ?? value) : value;

/** A row's values in the form of the family, without empty values and files. */
export const valuesOf = async (
  io: RtIo,
  lookupType: string,
  rows: ValueRows,
  except: readonly string[],
): Promise<Record<string, CustomValue>> => {
  const fields = new Map((await fieldsOf(io, lookupType)).map((field) => [field.id, field]));
  const found: [string, CustomValue][] = [];
  for (const { id, name, values } of rows.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const field = fields.get(id);
    const texts = values.filter((value) => typeof value === "string" && value !== "") as string[];
    if (!field || holdsFiles(field) || except.includes(name) || texts.length === 0) continue;
    const read = texts.map((text) => fromRt(field.Type, text));
    found.push([id, field.MaxValues === 1 ? (read[0] ?? null) : read]);
  }
  return Object.fromEntries(found);
};

const toRt = (type: string, value: string | number | boolean): string =>
  type === "DateTime" && typeof value === "string" && !Number.isNaN(Date.parse(value))
    ? toRtTime(value)
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : String(value);

/** The values as RT would return what is sent. */
export const sentValues = async (
  io: RtIo,
  lookupType: string,
  values: Readonly<Record<string, CustomValue>>,
): Promise<Record<string, CustomValue>> => {
  const fields = new Map((await fieldsOf(io, lookupType)).map((field) => [field.id, field]));
  const rows = Object.entries(await toRtValues(io, lookupType, values)).map(([id, value]) => {
    const isMoment = fields.get(id)?.Type === "DateTime";
    const all = (typeof value === "string" ? [value] : value).map((each) => (isMoment ? `${each}Z` : each));
    return { id, name: "", values: all };
  });
  return valuesOf(io, lookupType, rows, []);
};

/** Values in RT's form, by field id, without fields that RT does not have. */
export const toRtValues = async (
  io: RtIo,
  lookupType: string,
  values: Readonly<Record<string, CustomValue>>,
): Promise<Record<string, string | string[]>> => {
  const fields = (await fieldsOf(io, lookupType)).filter(
    (field) => field.Name !== io.settings.externalIdField,
  );
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.id];
      if (holdsFiles(field) || value === undefined || value === null || value === "") return [];
      const all = (Array.isArray(value) ? value : [value]).map((each) => toRt(field.Type, each));
      return [[field.id, field.MaxValues === 1 ? (all[0] ?? "") : all]];
    }),
  );
};
