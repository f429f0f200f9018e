import { createHash } from "node:crypto";
import {
  type CustomFieldType,
  type FieldOutcome,
  type FieldSetup,
  isConnectorError,
  isRefusal,
  kept,
  type NewField,
  oneLine,
  outcomeUnknown,
  removed,
  removeRecord,
  truncate,
} from "@portage/connector-kit";
import { z } from "zod";
import { api, askAll, rowsIn, tell } from "./ask.ts";
import { customFieldsOf } from "./custom-fields.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import { tagsOf } from "./texts.ts";
import { ticketRow, type TicketRow } from "./tickets-source.ts";

const zendeskTypes: Readonly<Partial<Record<CustomFieldType, string>>> = {
  text: "text",
  "long-text": "textarea",
  number: "decimal",
  boolean: "checkbox",
  date: "date",
  choice: "tagger",
  choices: "multiselect",
};

const markedRow = z.object({
  id: z.number(),
  agent_description: z.string().nullish(),
  created_at: z.string().nullish(),
});

const markedFields = async (io: ZendeskIo, mark: string) =>
  (await askAll(io, { path: "ticket_fields", name: "ticket_fields", row: markedRow })).filter(
    ({ agent_description: text }) => text?.endsWith(` ${mark}`) === true,
  );

/** An option's tag belongs to one field of the account alone, so it ends with letters of this one. */
const optionsOf = ({ mark, options = [] }: NewField) => {
  const end = createHash("sha256").update(mark).digest("hex").slice(0, 6);
  return options.map(({ value, label }, index) => ({
    name: truncate(oneLine(label || value), 200) || String(index + 1),
    value: [...tagsOf([label || value]), index + 1, end].join("_"),
  }));
};

const createField = async (io: ZendeskIo, field: NewField): Promise<FieldOutcome> => {
  const type = zendeskTypes[field.type];
  if (!type)
    return {
      kind: "rejected",
      code: "cannot_be_created",
      message: "Zendesk has no custom field of this kind.",
    };
  if ((await markedFields(io, field.mark)).length === 0) {
    const options = optionsOf(field);
    const json = {
      ticket_field: {
        type,
        title: truncate(oneLine(field.label), 200),
        agent_description: `Created by an import. ${field.mark}`,
        ...(options.length > 0 ? { custom_field_options: options } : {}),
      },
    };
    await tell(io, { url: api("ticket_fields"), method: "POST", json });
  }
  const [made] = await markedFields(io, field.mark);
  const listed = await customFieldsOf("ticket_fields")(io);
  const found = listed.find(({ key }) => key === String(made?.id));
  return found
    ? { kind: "created", field: found }
    : { kind: "unknown", why: "Zendesk does not show the field." };
};

const holds = ({ status, custom_fields: values }: TicketRow, fieldId: number) =>
  status !== "deleted" &&
  (values ?? []).some(
    ({ id, value }) =>
      id === fieldId && value !== null && value !== undefined && value !== "" && value !== false,
  );

/** Of an export, which Zendesk lets an account ask for ten times a minute: as many as fit into the time of one step. */
const maxPages = 3;

/**
 * Why a field must stay; null: no ticket holds a value in it. Only tickets that changed since the field was created can: the export
 * has them, except for the most recent minute, which is on the first page of the list.
 */
const whyUsed = async (
  io: ZendeskIo,
  { id, created_at: since }: z.infer<typeof markedRow>,
): Promise<string | null> => {
  const used = "Tickets in Zendesk hold values in this field.";
  const latest = { "page[size]": 100, sort: "-updated_at" };
  const recent = await io.http.send({ url: api("tickets"), query: latest });
  if (rowsIn(recent, "tickets", ticketRow).some((row) => holds(row, id))) return used;
  const minuteAgo = Date.now() / 1_000 - 61;
  const start = Math.floor(Math.min(since ? Date.parse(since) / 1_000 : 0, minuteAgo));
  let query: Record<string, string | number> = { start_time: start };
  for (let page = 0; page < maxPages; page += 1) {
    const url = api("incremental/tickets/cursor");
    const answer = await io.http.send({ url, query: { ...query, per_page: 1_000 }, class: "export" });
    if (rowsIn(answer, "tickets", ticketRow).some((row) => holds(row, id))) return used;
    const place = z.object({ after_cursor: z.string().nullable(), end_of_stream: z.boolean() });
    const { after_cursor: cursor, end_of_stream: ended } = answer.json(place);
    if (ended || cursor === null) return null;
    query = { cursor };
  }
  return "Too many tickets have changed in Zendesk to tell whether one of them holds a value in this field.";
};

/** Custom fields of tickets. */
export const ticketFieldSetup: FieldSetup<ZendeskSettings> = {
  creatable: async () => ({
    types: Object.keys(zendeskTypes) as CustomFieldType[],
    why: "Zendesk has no custom fields of tickets for moments, links or people. An administrator can add a text field for them (Admin Center, Objects and rules, Tickets, Fields).",
  }),
  async create(io, field) {
    try {
      return await createField(io, field);
    } catch (error) {
      if (isRefusal(error)) return { kind: "rejected", code: error.code, message: error.message };
      if (isConnectorError(error) && error.code === outcomeUnknown)
        return { kind: "unknown", why: error.message };
      throw error;
    }
  },
  remove: (io, mark) =>
    removeRecord(async () => {
      for (const field of await markedFields(io, mark)) {
        const why = await whyUsed(io, field);
        if (why !== null) return kept("field_in_use", why);
        await tell(io, { url: api(`ticket_fields/${field.id}`), method: "DELETE", accept: [404] });
      }
      return removed;
    }),
};
