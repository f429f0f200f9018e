import {
  type At,
  type CustomValue,
  helpdesk,
  keysetPager,
  keysetSlice,
  listStream,
  splitOrigin,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { askBySql, askList, numericIds } from "./ask.ts";
import { customFieldsOf, ticketFields, valueRows, valuesOf } from "./custom-fields.ts";
import { askMessages, type Message, ofTickets, transactionQuestion } from "./messages.ts";
import { dateLimit, fromRtTime, toRtTime } from "./moments.ts";
import { personFields, personRow, whoOf } from "./people.ts";
import { richText } from "./references.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { isInactive, priorityKindOf, statusKindOf, type Ticket } from "./statuses.ts";

export const ticketRow = z.object({
  id: z.coerce.number(),
  Subject: z.string().nullish(),
  Status: z.string(),
  Priority: z.coerce.number().catch(0),
  Queue: z.object({ id: z.coerce.string() }),
  Owner: personRow.nullish(),
  Creator: personRow.nullish(),
  Requestor: z.array(personRow).catch([]),
  Cc: z.array(personRow).catch([]),
  Created: z.string().nullish(),
  LastUpdated: z.string().nullish(),
  Resolved: z.string().nullish(),
  Due: z.string().nullish(),
  CustomFields: valueRows,
});
export type TicketRow = z.infer<typeof ticketRow>;

const ticketQuestion = {
  path: "tickets",
  row: ticketRow,
  fields: Object.keys(ticketRow.shape),
  nested: { Owner: personFields, Creator: personFields, Requestor: personFields, Cc: personFields },
};

/** The first message of each ticket. */
const askDescriptions = async (io: RtIo, ids: readonly number[]): Promise<ReadonlyMap<number, Message>> => {
  const question = { ...transactionQuestion, sql: `${ofTickets} AND Type = 'Create'` };
  const created = await askBySql(io, question, "ObjectId", ids);
  const ticketOf = new Map(created.map(({ id, ObjectId }) => [id, Number(ObjectId)]));
  const messages = await askMessages(io, [...ticketOf.keys()]);
  return new Map([...messages].map(([id, message]) => [ticketOf.get(id) ?? 0, message]));
};

export interface Described {
  readonly row: TicketRow;
  readonly message: Message | undefined;
}

const describe = async (io: RtIo, rows: readonly TicketRow[]): Promise<readonly Described[]> => {
  const messages = await askDescriptions(
    io,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ row, message: messages.get(row.id) }));
};

const descriptionOf = (io: RtIo, message: Message | undefined) => {
  if (!message) return null;
  const { format } = message;
  const text = splitOrigin(message.text, format)?.text ?? message.text;
  return text === "" ? null : richText(io, format, text, message);
};

export const toTicket = async ({ row, message }: Described, io: RtIo): Promise<Ticket> => {
  const customFields: Record<string, CustomValue> = await valuesOf(io, ticketFields, row.CustomFields, [
    io.settings.externalIdField,
  ]);
  const requesters = row.Requestor.filter(({ type }) => type === "user");
  const followers = [...requesters.slice(1), ...row.Cc.filter(({ type }) => type === "user")];
  const resolved = fromRtTime(row.Resolved);
  const copies = await Promise.all(followers.map((person) => whoOf(io, person)));
  return helpdesk.tickets.make({
    id: String(row.id),
    createdAt: fromRtTime(row.Created),
    updatedAt: fromRtTime(row.LastUpdated),
    customFields,
    subject: row.Subject ?? "",
    description: descriptionOf(io, message),
    status: row.Status,
    statusKind: statusKindOf(row.Status, resolved !== null),
    priority: String(row.Priority),
    priorityKind: priorityKindOf(row.Priority),
    author: await whoOf(io, row.Creator),
    requester: await whoOf(io, requesters[0]),
    assignee: await whoOf(io, row.Owner),
    groupId: row.Queue.id,
    followers: copies.flatMap((who) => (who?.stream && who.id ? [{ stream: who.stream, id: who.id }] : [])),
    channel: null,
    dueAt: fromRtTime(row.Due),
    // A reopened ticket can still have the date of an earlier resolution.
    solvedAt: isInactive(row.Status) ? resolved : null,
    visibility: "public",
  });
};

export const askTickets = (io: RtIo, ids: readonly string[]): Promise<readonly TicketRow[]> =>
  askBySql(io, ticketQuestion, "id", numericIds(ids));

export const describeTickets = async (io: RtIo, ids: readonly string[]): Promise<readonly Described[]> =>
  describe(io, await askTickets(io, ids));

const idRow = z.object({ id: z.coerce.number() });
const idQuestion = { path: "tickets", row: idRow, fields: ["id"], sql: "id > 0" };

const conditions = ({ since }: At, after: string | number | null) =>
  `id > ${Number(after ?? 0)}${since ? ` AND LastUpdated >= '${toRtTime(since)}'` : ""}`;

/** RT returns no total when it has to check the rights on each ticket. */
const total = async (io: RtIo, sql = "id > 0") => (await askList(io, { ...idQuestion, sql, size: 1 })).total;

const size = 40;

export const ticketsSource = listStream<Described, Ticket, RtSettings>({
  stream: helpdesk.tickets,
  delta: true,
  pages: (rows) =>
    keysetPager({
      ...rows,
      size,
      fetch: async (io, at, { after, size: length }) => {
        const question = { ...ticketQuestion, sql: conditions(at, after), size: length };
        return describe(io, (await askList(io, question)).rows);
      },
    }),
  key: ({ row }) => row.id,
  toRecord: toTicket,
  byIds: describeTickets,
  sharedCursors: true,
  readIds: keysetPager({
    size: 100,
    key: ({ id }: { id: number }) => id,
    toRecord: ({ id }) => String(id),
    fetch: async (io, at, { after, size: length }) =>
      (await askList(io, { ...idQuestion, sql: conditions(at, after), size: length })).rows,
  }),
  async slices(io, atMost) {
    const last = await askList(io, { ...idQuestion, size: 1, page: (await total(io)) ?? 1 });
    const highest = last.rows[0]?.id ?? 0;
    const step = Math.max(size, Math.ceil(highest / atMost));
    const count = Math.max(1, Math.ceil(highest / step));
    return Array.from({ length: count }, (_, index) =>
      keysetSlice(index * step, index === count - 1 ? null : (index + 1) * step),
    );
  },
  async count(io) {
    const value = await total(io);
    return value === null ? null : { value, exact: true };
  },
  countWithin(io, { createdFrom, createdBefore, changedFrom }) {
    const sql = [
      "id > 0",
      ...(createdFrom === null ? [] : [dateLimit("Created", ">=", createdFrom)]),
      ...(createdBefore === null ? [] : [dateLimit("Created", "<", createdBefore)]),
      ...(changedFrom === null ? [] : [dateLimit("LastUpdated", ">=", changedFrom)]),
    ].join(" AND ");
    return total(io, sql);
  },
  urlOf: urlOf("tickets"),
  customFields: customFieldsOf(ticketFields),
});
