import {
  type CustomField,
  type CustomFieldType,
  type FieldOutcome,
  type FieldSetup,
  isConnectorError,
  isRefusal,
  noFieldSetup,
  outcomeUnknown,
  removeRecord,
} from "@portage/connector-kit";
import { z } from "zod";
import { askList, askWholeList, rest, tell } from "./ask.ts";
import { ticketFields } from "./custom-fields.ts";
import type { RtIo, RtSettings } from "./settings.ts";

/** RT has no field of its own for numbers, yes or no, links and people; its dates begin with 1970, so they can't hold any day. */
const rtTypes: Readonly<
  Partial<Record<CustomFieldType, { readonly Type: string; readonly MaxValues: 0 | 1 }>>
> = {
  text: { Type: "Freeform", MaxValues: 1 },
  "long-text": { Type: "Text", MaxValues: 1 },
  choice: { Type: "Select", MaxValues: 1 },
  choices: { Type: "Select", MaxValues: 0 },
};

const fieldRow = z.object({
  id: z.coerce.string(),
  Name: z.string(),
  Description: z.string().nullish(),
  LookupType: z.string(),
  Disabled: z.coerce.number(),
});
type FieldRow = z.infer<typeof fieldRow>;

/** RT disables a field instead of deleting it, so that disabled ones with the mark count, too. */
const ticketFieldRows = async (io: RtIo): Promise<readonly FieldRow[]> => {
  const rows = await askWholeList(io, {
    path: "customfields",
    row: fieldRow,
    fields: ["Name", "Description", "LookupType", "Disabled"],
    limits: [{ field: "id", operator: ">", value: 0 }],
    disabledToo: true,
  });
  return rows.filter(({ LookupType }) => LookupType === ticketFields);
};

const describedBy = (mark: string) => `Created by an import. ${mark}`;

const isMarked = ({ Description }: FieldRow, mark: string) => Description?.endsWith(mark) ?? false;

/**
 * Whether this account may create fields for all queues. RT has no question for rights, so this asks for a field that RT always
 * refuses: for its pattern, which it looks at only if the account has the rights.
 */
const mayCreate = async (io: RtIo): Promise<boolean> => {
  const { text } = await io.http.send({
    url: rest("customfield"),
    method: "POST",
    json: { Name: "Portage", Type: "Freeform", MaxValues: 1, Queue: 0, Pattern: "(" },
    reads: true,
    accept: [400, 403, 422],
  });
  return text.includes("Unmatched (");
};

const createdRow = z.object({ id: z.coerce.string() });

interface WantedField {
  readonly mark: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly options: readonly string[];
}

/** The field with the mark, enabled; created for all queues if there is none. Null: RT has no such type. */
const ensureField = async (io: RtIo, { mark, label, type }: WantedField): Promise<string | null> => {
  const known = (await ticketFieldRows(io)).find((row) => isMarked(row, mark));
  if (known) {
    if (known.Disabled !== 0) await tell(io, "PUT", `customfield/${known.id}`, { Disabled: 0 }, z.unknown());
    return known.id;
  }
  const rtType = rtTypes[type];
  if (!rtType) return null;
  // RT takes 0 for all queues.
  const json = { ...rtType, Name: label, Description: describedBy(mark), Queue: 0 };
  return (await tell(io, "POST", "customfield", json, createdRow)).id;
};

const addOptions = async (io: RtIo, id: string, options: readonly string[]): Promise<void> => {
  if (options.length === 0) return;
  const row = z.object({ id: z.coerce.string(), name: z.string() });
  const known = await askWholeList(io, { path: `customfield/${id}/values`, row, fields: [] });
  const names = new Set(known.map(({ name }) => name));
  for (const [index, Name] of options.entries())
    if (!names.has(Name))
      await tell(io, "POST", `customfield/${id}/value`, { Name, SortOrder: index + 1 }, z.unknown());
};

const settle = async (call: () => Promise<FieldOutcome>): Promise<FieldOutcome> => {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error)) return { kind: "rejected", code: error.code, message: error.message };
    if (isConnectorError(error) && error.code === outcomeUnknown)
      return { kind: "unknown", why: error.message };
    throw error;
  }
};

const cannot: FieldOutcome = {
  kind: "rejected",
  code: "cannot_be_created",
  message: "Request Tracker has no custom field of this kind.",
};

const fieldFrom = (id: string, { label, type, options }: WantedField): CustomField => ({
  key: id,
  label,
  type,
  required: false,
  writable: true,
  ...(options.length > 0 ? { options: options.map((name) => ({ value: name, label: name })) } : {}),
});

/** RT's names have at most 200 characters. */
const maxName = 200;
const nameFor = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, maxName);

/** Custom fields of tickets, for all queues. */
export const ticketFieldSetup: FieldSetup<RtSettings> = {
  async creatable(io) {
    if (!(await mayCreate(io)))
      return {
        types: [],
        why: "This account may not add custom fields to Request Tracker. An administrator can add them (Admin, Custom Fields, Create), or give the account the global rights AdminCustomField and AssignCustomFields.",
      };
    const types = Object.keys(rtTypes) as CustomFieldType[];
    const why =
      "Request Tracker has no custom fields for numbers, yes or no, links or people, nor for days before 1970. An administrator can add a text field for them (Admin, Custom Fields, Create).";
    return { types, why };
  },
  create: (io, { mark, label, type, options = [] }) =>
    settle(async () => {
      const wanted = {
        mark,
        label: nameFor(label),
        type,
        options: [...new Set(options.map((option) => nameFor(option.label || option.value)))],
      };
      const id = await ensureField(io, wanted);
      if (id === null) return cannot;
      await addOptions(io, id, wanted.options);
      return { kind: "created", field: fieldFrom(id, wanted) };
    }),
  createKeyField: (io, mark) =>
    settle(async () => {
      const label = io.settings.externalIdField;
      const wanted = { mark, label, type: "text" as const, options: [] };
      const rows = await ticketFieldRows(io);
      const known = rows.find(({ Name, Disabled }) => Name === label && Disabled === 0);
      if (known)
        return { kind: isMarked(known, mark) ? "created" : "found", field: fieldFrom(known.id, wanted) };
      const id = await ensureField(io, wanted);
      return id === null ? cannot : { kind: "created", field: fieldFrom(id, wanted) };
    }),
  remove: (io, mark) =>
    removeRecord(async () => {
      for (const { id, Disabled } of (await ticketFieldRows(io)).filter((row) => isMarked(row, mark))) {
        if (Disabled !== 0) continue;
        const row = z.object({ id: z.coerce.string() });
        const { rows } = await askList(io, {
          path: "tickets",
          row,
          fields: [],
          sql: `'CF.{${id}}' IS NOT NULL`,
          size: 1,
        });
        if (rows.length > 0)
          return {
            kind: "kept",
            code: "field_in_use",
            message: "Tickets in Request Tracker hold values in this field.",
          };
        await tell(io, "DELETE", `customfield/${id}`, undefined, z.unknown());
      }
      return { kind: "removed" };
    }),
};

/** RT applies a field to articles by their classes, for which it has no call. */
export const articleFieldSetup: FieldSetup<RtSettings> = noFieldSetup(
  "Request Tracker lets an import add custom fields to tickets only. An administrator can add one for articles (Admin, Custom Fields, Create) and apply it to their class.",
);
