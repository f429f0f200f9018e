import {
  type At,
  type CustomFieldType,
  type FieldOutcome,
  type FieldSetup,
  isConnectorError,
  isRefusal,
  keyAtEnd,
  type NewField,
  outcomeUnknown,
  removed,
  removeRecord,
  kept,
  withMarker,
} from "@portage/connector-kit";
import { z } from "zod";
import { askFields } from "./ask.ts";
import { keyLabel, toCustomField } from "./records.ts";
import { type Field, fieldRow, type Ticket } from "./rows.ts";
import type { FreshdeskIo, Settings } from "./settings.ts";
import { byChange } from "./source.ts";
import { removeAt, tell } from "./tell.ts";

/** Clocks differ. */
const skewMs = 15 * 60_000;

/** The tickets that changed since, by the list: a search is minutes behind. */
export async function* ticketsSince(io: FreshdeskIo, since: Date): AsyncGenerator<Ticket> {
  const read = byChange(false)({ key: ({ id }) => id, toRecord: (row) => row });
  const from = new Date(Math.max(0, since.getTime() - skewMs));
  for (let at: At | null = { cursor: null, since: from, parentId: null }; at; ) {
    const { records, next }: Awaited<ReturnType<typeof read>> = await read(io, at);
    yield* records;
    at = next && { ...at, cursor: next };
  }
}

/** Freshdesk has no fields with several values, moments, people or links. */
const types: Readonly<Partial<Record<CustomFieldType, string>>> = {
  text: "custom_text",
  "long-text": "custom_paragraph",
  number: "custom_decimal",
  boolean: "custom_checkbox",
  date: "custom_date",
  choice: "custom_dropdown",
};

const askAdminFields = async (io: FreshdeskIo) =>
  (await io.http.send({ url: "admin/ticket_fields" })).json(z.array(fieldRow));

const isMarked = ({ label_for_customers: label }: Field, mark: string) => keyAtEnd(label) === mark;

const maxLabel = 255;

/** The field with the mark; created if there is none. */
const ensureField = async (
  io: FreshdeskIo,
  { mark, label, type, options = [] }: NewField,
): Promise<FieldOutcome> => {
  const known = (await askAdminFields(io)).find((field) => isMarked(field, mark));
  if (known) return { kind: "created", field: toCustomField(known) };
  const own = types[type];
  if (own === undefined)
    return { kind: "rejected", code: "cannot_be_created", message: "Freshdesk has no such field." };
  const values = [...new Set(options.map((option) => option.label || option.value))];
  const answer = await tell(io, {
    url: "admin/ticket_fields",
    method: "POST",
    json: {
      label: label.slice(0, maxLabel),
      // Customers don't see the field: what it is called for them holds the mark.
      label_for_customers: withMarker(label, mark, maxLabel),
      displayed_to_customers: false,
      customers_can_edit: false,
      type: own,
      ...(type === "choice"
        ? { choices: values.map((value, index) => ({ value, position: index + 1 })) }
        : {}),
    },
  });
  askFields.forget(io);
  return { kind: "created", field: toCustomField(answer.json(fieldRow)) };
};

const settle = async (work: Promise<FieldOutcome>): Promise<FieldOutcome> => {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error)) return { kind: "rejected", code: error.code, message: error.message };
    if (isConnectorError(error) && error.code === outcomeUnknown)
      return { kind: "unknown", why: error.message };
    throw error;
  }
};

export const fieldSetup: FieldSetup<Settings> = {
  async creatable(io) {
    const { status } = await io.http.send({ url: "admin/ticket_fields", accept: [403] });
    return status === 403
      ? {
          types: [],
          why: "Only administrators may add ticket fields to Freshdesk (Admin, Ticket Fields): use the API key of one, or ask one to add them.",
        }
      : {
          types: Object.keys(types) as CustomFieldType[],
          why: "Freshdesk has no ticket fields for several choices, times, links or people. An administrator can add a text field for them (Admin, Ticket Fields).",
        };
  },
  create: (io, field) => settle(ensureField(io, field)),
  createKeyField: (io, mark) =>
    settle(
      (async () => {
        const known = (await askFields(io)).find(({ label }) => label === keyLabel);
        if (known && !isMarked(known, mark)) return { kind: "found", field: toCustomField(known) };
        return ensureField(io, { mark, label: keyLabel, type: "text" });
      })(),
    ),
  remove: (io, mark) =>
    removeRecord(async () => {
      for (const { id, name } of (await askAdminFields(io)).filter((field) => isMarked(field, mark))) {
        for await (const { custom_fields: custom } of ticketsSince(io, new Date(0)))
          if ((custom?.[name] ?? null) !== null)
            return kept("field_in_use", "Tickets in Freshdesk hold values in this field.");
        await removeAt(io, `admin/ticket_fields/${id}`);
      }
      return removed;
    }),
};
