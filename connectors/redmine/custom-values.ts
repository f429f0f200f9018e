import type { CustomField, FamilyRecord } from "@portage/connector-kit";
import { fieldRowsOf } from "./catalog.ts";
import type { CustomFieldRow, CustomValueRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

type CustomValues = FamilyRecord["customFields"];
type CustomValue = CustomValues[string];

/** Holds the external key of issues; Redmine can search for it. */
export const externalIdName = "External ID";

export const keyOf = ({ id }: { readonly id: number }): string => `cf_${id}`;

const types: Readonly<Record<string, CustomField["type"]>> = {
  string: "text",
  text: "long-text",
  int: "number",
  float: "number",
  bool: "boolean",
  date: "date",
  list: "choice",
  enumeration: "choice",
  link: "link",
  user: "person",
};

/** The custom fields of one kind of object: `issue`, `project`, `user`, `version`, `time_entry`. */
export const customFieldsOf = async (io: RedmineIo, kind: string): Promise<readonly CustomField[]> => {
  const all = await fieldRowsOf(io);
  return all
    .filter(({ customized_type }) => customized_type === kind)
    .map((row) => {
      const type = types[row.field_format] ?? "text";
      const options = type === "choice" ? row.possible_values : [];
      return {
        key: keyOf(row),
        label: row.name,
        type: type === "choice" && row.multiple ? "choices" : type,
        required: row.is_required,
        ...(options.length > 0 ? { options } : {}),
        ...(row.max_length ? { maxLength: row.max_length } : {}),
        writable: row.field_format !== "attachment" && row.name !== externalIdName,
      };
    });
};

const valueFrom = (format: string, text: string): CustomValue => {
  if (format === "bool") return text === "1";
  const number = Number(text);
  return (format === "int" || format === "float") && Number.isFinite(number) ? number : text;
};

/** The values of a row's custom fields, without empty ones. */
export const readCustomValues = async (
  io: RedmineIo,
  rows: readonly CustomValueRow[],
): Promise<Record<string, CustomValue>> => {
  if (rows.length === 0) return {};
  const fields = await fieldRowsOf(io);
  const formatOf = (id: number) => fields.find((field) => field.id === id)?.field_format ?? "string";
  const entries = rows.flatMap(({ id, value }): [string, CustomValue][] => {
    if (Array.isArray(value)) return value.length > 0 ? [[keyOf({ id }), value]] : [];
    return value ? [[keyOf({ id }), valueFrom(formatOf(id), value)]] : [];
  });
  return Object.fromEntries(entries);
};

const textFrom = (format: string, value: CustomValue): string | readonly string[] => {
  if (Array.isArray(value)) return value;
  if (format === "bool") return value === true || value === "1" || value === "true" ? "1" : "0";
  return value === null ? "" : String(value);
};

/** The values to write. A value without a field is left out, so it is reported as cleared. */
export const writeCustomValues = async (
  io: RedmineIo,
  kind: string,
  values: CustomValues,
): Promise<{ id: number; value: string | readonly string[] }[]> => {
  const fields = (await fieldRowsOf(io)).filter(
    ({ customized_type, name }) => customized_type === kind && name !== externalIdName,
  );
  return fields.flatMap((field) => {
    const value = values[keyOf(field)];
    return value === undefined ? [] : [{ id: field.id, value: textFrom(field.field_format, value) }];
  });
};

/** Written values in the form of a row's. */
export const sentValues = (
  values: readonly { readonly id: number; readonly value: string | readonly string[] }[],
): CustomValueRow[] =>
  values.map(({ id, value }) => ({ id, name: "", value: typeof value === "string" ? value : [...value] }));

export const externalIdField = async (io: RedmineIo): Promise<CustomFieldRow | null> =>
  (await fieldRowsOf(io)).find(
    ({ customized_type, name }) => customized_type === "issue" && name === externalIdName,
  ) ?? null;
