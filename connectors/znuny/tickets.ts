import {
  type CustomField,
  type CustomValue,
  helpdesk,
  type RecordOf,
  type SourceStream,
} from "@portage/connector-kit";
import { getTickets, searchTickets } from "./ask.ts";
import { fromEpoch, fromLocal, localFrom, toLocal } from "./moments.ts";
import { authorOf, ownerOf, requesterOf } from "./people.ts";
import { ticketUrl } from "./record-at.ts";
import type { ArticleRow, DynamicFields, TicketRow } from "./rows.ts";
import type { ZnunyIo, ZnunySettings } from "./settings.ts";
import { type HtmlForms, readHtmlForms, textOf } from "./texts.ts";
import { changedSince, walkTickets } from "./walk.ts";

type Ticket = RecordOf<typeof helpdesk.tickets>;

/** By the type of a state: an administrator can name states as they like, but not their types. */
const statusKinds: Readonly<Record<string, Ticket["statusKind"]>> = {
  new: "new",
  open: "open",
  "pending reminder": "pending",
  "pending auto": "pending",
  closed: "solved",
  merged: "closed",
  removed: "closed",
};

/** The five priorities of a new Znuny; an administrator can add others. */
const priorityKinds: Readonly<Record<number, Ticket["priorityKind"]>> = {
  1: "low",
  2: "low",
  3: "normal",
  4: "high",
  5: "urgent",
};

export const channelOf = (article: ArticleRow | undefined): string | null => {
  const channels: Readonly<Record<number, string>> = { 1: "email", 2: "phone", 3: "web", 4: "chat" };
  return article ? (channels[article.CommunicationChannelID] ?? null) : null;
};

/** Values of dynamic fields, without empty ones and those of process management, which are ids. */
export const fieldValues = (fields: DynamicFields): Record<string, CustomValue> => {
  const values = fields.flatMap(({ Name, Value }): [string, CustomValue][] => {
    if (Name.startsWith("ProcessManagement")) return [];
    if (Array.isArray(Value)) return Value.length > 0 ? [[Name, Value.map(String)]] : [];
    return typeof Value === "number" || (typeof Value === "string" && Value !== "")
      ? [[Name, String(Value)]]
      : [];
  });
  return Object.fromEntries(values);
};

/** What other help desks have no field for. */
const ownFields = ["TicketNumber", "CustomerID", "Service", "SLA"] as const;

/** The first article that customers see is the description; an internal one stays a comment. */
export const descriptionOf = ({ Article: [first] }: TicketRow): ArticleRow | undefined =>
  first?.IsVisibleForCustomer ? first : undefined;

const toTicket = async (io: ZnunyIo, row: TicketRow, forms: HtmlForms): Promise<Ticket> => {
  const { timeZone } = io.settings;
  const [first] = row.Article;
  const description = descriptionOf(row);
  const own = ownFields.flatMap((name) => (row[name] === null ? [] : [[name, row[name]] as const]));
  return helpdesk.tickets.make({
    id: String(row.TicketID),
    createdAt: fromLocal(row.Created, timeZone),
    updatedAt: fromLocal(row.Changed, timeZone),
    customFields: { ...fieldValues(row.DynamicField), ...Object.fromEntries(own) },
    subject: row.Title ?? "",
    description: description ? textOf(io, row, description, forms) : null,
    status: row.State,
    statusKind: statusKinds[row.StateType] ?? "open",
    priority: row.Priority,
    priorityKind: priorityKinds[row.PriorityID] ?? null,
    type: row.Type,
    author: first ? await authorOf(io, row, first) : null,
    requester: requesterOf(row),
    assignee: ownerOf(row),
    groupId: row.QueueID,
    channel: channelOf(first),
    number: row.TicketNumber,
    state: row.StateType === "removed" ? "deleted" : "active",
    dueAt: row.StateType.startsWith("pending") ? fromEpoch(row.RealTillTimeNotUsed) : null,
  });
};

const parts = { fields: true, articles: "first", files: "listed" } as const;

const toTickets = async (io: ZnunyIo, rows: readonly TicketRow[]): Promise<readonly Ticket[]> => {
  const forms = await readHtmlForms(io, rows, "first");
  return Promise.all(rows.map((row) => toTicket(io, row, forms)));
};

/** Only the ids that Znuny could have given. */
export const numericIds = (ids: readonly string[]): readonly number[] => [
  ...new Set(ids.filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number)),
];

const size = 40;

/** Znuny does not describe its fields: the names come from a ticket, and that a field holds several values from examples. */
const customFields = async (io: ZnunyIo): Promise<readonly CustomField[]> => {
  const all = await searchTickets(io, {});
  const step = Math.ceil(all.length / 200);
  const examples = await getTickets(
    io,
    all.filter((_, index) => index % step === 0),
    { fields: true },
  );
  const fields = examples.flatMap(({ DynamicField }) => DynamicField);
  const names = new Set(
    fields.map(({ Name }) => Name).filter((name) => !name.startsWith("ProcessManagement")),
  );
  const several = new Set(fields.flatMap(({ Name, Value }) => (Array.isArray(Value) ? [Name] : [])));
  return [...names, ...ownFields].map((name) => ({
    key: name,
    label: name,
    type: several.has(name) ? "choices" : "text",
    required: false,
    writable: false,
  }));
};

export const ticketsSource: SourceStream<Ticket, ZnunySettings> = {
  stream: helpdesk.tickets,
  delta: true,
  async readPage(io, at) {
    const { rows, next } = await walkTickets(io, at, size, parts);
    return { records: await toTickets(io, rows), next };
  },
  async readByIds(io, ids) {
    return toTickets(io, await getTickets(io, numericIds(ids), parts));
  },
  async readIds(io, { since }) {
    return { records: (await searchTickets(io, changedSince(io, since))).map(String), next: null };
  },
  async count(io) {
    return { value: (await searchTickets(io, {})).length, exact: true };
  },
  async countWithin(io, { createdFrom, createdBefore, changedFrom }) {
    const { timeZone } = io.settings;
    const found = await searchTickets(io, {
      ...(createdFrom && { TicketCreateTimeNewerDate: toLocal(new Date(createdFrom), timeZone) }),
      ...(createdBefore && {
        TicketCreateTimeOlderDate: toLocal(Date.parse(createdBefore) - 1000, timeZone),
      }),
      ...(changedFrom && { TicketLastChangeTimeNewerDate: localFrom(new Date(changedFrom), timeZone) }),
    });
    return found.length;
  },
  urlOf: (settings, { id }) => ticketUrl(settings, id),
  customFields,
};
