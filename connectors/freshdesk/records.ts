import {
  type CustomField,
  type CustomFieldType,
  type CustomValue,
  foreignId,
  helpdesk,
  type RichText,
  type TextReference,
} from "@portage/connector-kit";
import { askFields, askPerson, type Folder } from "./ask.ts";
import type {
  Agent,
  Article,
  Attachment,
  Company,
  Contact,
  Conversation,
  Field,
  Group,
  Ticket,
} from "./rows.ts";
import type { FreshdeskIo, Origins } from "./settings.ts";

const moment = (value: string | null | undefined) => {
  const time = Date.parse(value ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
};

const times = (row: { created_at?: string | null | undefined; updated_at?: string | null | undefined }) => ({
  createdAt: moment(row.created_at),
  updatedAt: moment(row.updated_at),
});

/** One id for both parts: a comment or a file can only be read by its ticket. */
export const partId = (ticketId: string, id: string | number) => `${ticketId}-${id}`;
export const ticketIdIn = (id: string): string | null => /^([1-9]\d{0,14})-/.exec(id)?.[1] ?? null;

/** The field that holds the external key of a copy; for people it is none of theirs. */
export const keyLabel = "Import key";

const types: Readonly<Record<string, CustomFieldType>> = {
  custom_text: "text",
  custom_paragraph: "long-text",
  custom_number: "number",
  custom_decimal: "number",
  custom_checkbox: "boolean",
  custom_date: "date",
  custom_dropdown: "choice",
  nested_field: "choice",
  custom_phone_number: "text",
  custom_url: "link",
};

export const between = "::";

/** A choice of several levels, as one value. */
const levels = (choices: unknown, path: readonly string[] = []): readonly string[] => {
  if (Array.isArray(choices)) return choices.map((each) => [...path, String(each)].join(between));
  if (typeof choices !== "object" || choices === null) return [];
  return Object.entries(choices).flatMap(([name, below]) => levels(below, [...path, name]));
};

const isCustom = ({ type, label }: Field) => Object.hasOwn(types, type) && label !== keyLabel;

export const toCustomField = (field: Field): CustomField => {
  const type = types[field.type] ?? "text";
  const options = levels(field.choices).map((value) => ({ value, label: value }));
  return {
    key: field.name,
    label: field.label,
    type,
    required: field.required_for_agents === true,
    writable: true,
    ...(type === "choice" ? { options } : {}),
  };
};

type AskFields = (io: FreshdeskIo) => Promise<readonly Field[]>;

export const customFieldsOf =
  (ask: AskFields) =>
  async (io: FreshdeskIo): Promise<readonly CustomField[]> =>
    (await ask(io)).filter(isCustom).map(toCustomField);

const customValues = (
  fields: readonly Field[],
  given: Ticket["custom_fields"],
): Record<string, CustomValue> => {
  const values: Record<string, CustomValue> = {};
  for (const { name, type } of fields.filter(isCustom)) {
    const value = given?.[name] ?? null;
    if (value === null || value === "") continue;
    if (type === "nested_field")
      values[name] = [value, given?.[`${name}_2`], given?.[`${name}_3`]]
        .filter((part) => typeof part === "string" && part !== "")
        .join(between);
    else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      values[name] = value;
  }
  return values;
};

/** A record of the source with the values of its custom fields. A destination fills in none, and so reads none. */
export const withValues =
  <R extends Pick<Ticket, "custom_fields">, T extends object>(make: (row: R) => T | null, ask: AskFields) =>
  async (row: R, io: FreshdeskIo): Promise<T | null> => {
    const record = make(row);
    return record && { ...record, customFields: customValues(await ask(io), row.custom_fields) };
  };

const statuses: Readonly<Record<string, { name: string; kind: "open" | "pending" | "solved" | "closed" }>> = {
  2: { name: "Open", kind: "open" },
  3: { name: "Pending", kind: "pending" },
  4: { name: "Resolved", kind: "solved" },
  5: { name: "Closed", kind: "closed" },
};

/** All statuses. An account names its own in the field `status`: by number, what agents and what customers see. */
export const statusesOf = (fields: readonly Field[]) => {
  const own = fields.find(({ name }) => name === "status")?.choices;
  const words = typeof own === "object" && own !== null && !Array.isArray(own) ? own : {};
  const named = Object.entries({ ...statuses, ...(words as Readonly<Record<string, unknown>>) });
  return named.map(([id, word]) => {
    const [name] = Array.isArray(word) ? word.filter((each) => typeof each === "string") : [];
    const known = statuses[id];
    return {
      id: Number(id),
      name: name ?? known?.name ?? `Status ${id}`,
      kind: known?.kind ?? ("open" as const),
    };
  });
};

const statusOf = (status: number, fields: readonly Field[]) => {
  const known = statusesOf(fields).find(({ id }) => id === status);
  return { status: known?.name ?? `Status ${status}`, statusKind: known?.kind ?? ("open" as const) };
};

export const priorities = [null, "Low", "Medium", "High", "Urgent"] as const;
export const priorityKinds = [null, "low", "normal", "high", "urgent"] as const;
export const channels: Readonly<Record<number, string>> = {
  1: "email",
  2: "web",
  3: "phone",
  7: "chat",
  9: "widget",
  10: "email",
  15: "chat",
};
const webChat = 15;

/** An image inside a text; its address is signed anew for each answer, so the record has one without the signature. */
interface InlineImage {
  readonly id: string;
  readonly url: string;
}

/** The images of a text that Freshdesk stores, by their addresses in it. */
export const imagesIn = (html: string, { imageId }: Origins): ReadonlyMap<string, InlineImage> => {
  const found = new Map<string, InlineImage>();
  for (const [, , src = ""] of html.matchAll(/<img\b[^>]*?\ssrc=(["'])(.*?)\1/gi)) {
    const url = src.replaceAll("&amp;", "&");
    const id = imageId(url);
    if (id !== null) found.set(src, { id, url: `freshdesk-image:${id}` });
  }
  return found;
};

const richText = (html: string, ticketId: string, at: Origins): RichText => {
  const references: TextReference[] = [];
  let text = html;
  for (const [src, { id, url }] of imagesIn(html, at)) {
    text = text.replaceAll(src, url);
    references.push({ kind: "image", url, to: { stream: "attachments", id: partId(ticketId, `i${id}`) } });
  }
  return { format: "html", text, references };
};

export const toUser = ({ id, contact, ...row }: Agent) =>
  helpdesk.users.make({
    id: String(id),
    name: contact.name ?? contact.email ?? `Agent ${id}`,
    email: contact.email ?? null,
    active: contact.active !== false,
    ...times(row),
  });

export const toOrganization = ({ id, name, domains, note, description, ...row }: Company) => {
  const notes = [description, note].filter((each) => each).join("\n\n");
  return helpdesk.organizations.make({
    id: String(id),
    name,
    domains: domains ?? [],
    notes: notes === "" ? null : { format: "plain", text: notes },
    ...times(row),
  });
};

export const toContact = (row: Contact) =>
  row.deleted === true
    ? null
    : helpdesk.contacts.make({
        id: String(row.id),
        name: row.name ?? row.email ?? row.phone ?? `Contact ${row.id}`,
        emails: [row.email ?? [], row.other_emails ?? []].flat(),
        phones: [row.phone ?? [], row.mobile ?? []].flat(),
        organizationId: row.company_id ? String(row.company_id) : null,
        locale: row.language ?? null,
        notes: row.description ? { format: "plain", text: row.description } : null,
        tags: row.tags ?? [],
        externalId: foreignId(row.unique_external_id),
        ...times(row),
      });

export const toGroup = ({ id, name, description, agent_ids: members, ...row }: Group) =>
  helpdesk.groups.make({
    id: String(id),
    name,
    description: description ? description : null,
    memberIds: (members ?? []).map(String),
    ...times(row),
  });

export const toTicket =
  (at: Origins, personOf = askPerson) =>
  async (row: Ticket, io: FreshdeskIo) => {
    const fields = await askFields(io);
    const requester = await personOf(io, row.requester_id);
    const assignee = await personOf(io, row.responder_id, true);
    const id = String(row.id);
    const priority = row.priority ?? 0;
    // What began as a chat repeats its description as the first comment.
    const isChat = row.source === webChat;
    return helpdesk.tickets.make({
      id,
      subject: row.subject ? row.subject : `Ticket ${id}`,
      description: isChat || !row.description ? null : richText(row.description, id, at),
      ...statusOf(row.status, fields),
      priority: priorities[priority] ?? null,
      priorityKind: priorityKinds[priority] ?? null,
      type: row.type ?? null,
      author: requester,
      requester,
      assignee: assignee?.stream === "users" ? assignee : null,
      groupId: row.group_id ? String(row.group_id) : null,
      organizationId: row.company_id ? String(row.company_id) : null,
      channel: channels[row.source ?? 0] ?? null,
      dueAt: moment(row.due_by),
      cc: row.cc_emails ?? [],
      tags: row.tags ?? [],
      customFields: customValues(fields, row.custom_fields),
      ...times(row),
    });
  };

const kinds: Readonly<Record<number, "reply" | "note" | "forward" | "call">> = {
  0: "reply",
  2: "note",
  8: "forward",
  9: "call",
};

export const toComment =
  (at: Origins, personOf = askPerson) =>
  async (row: Conversation, io: FreshdeskIo) =>
    helpdesk.comments.make({
      id: partId(row.ticketId, row.id),
      ticketId: row.ticketId,
      visibility: row.private === false ? "public" : "internal",
      body: richText(row.body ?? "", row.ticketId, at),
      author: await personOf(io, row.user_id, row.incoming !== true),
      kind: kinds[row.source ?? -1] ?? null,
      incoming: row.incoming ?? null,
      to: row.to_emails ?? [],
      cc: row.cc_emails ?? [],
      ...times(row),
    });

/** A file, or an image inside a text, with the record that it belongs to and a link that works for some minutes. */
export interface FoundFile {
  readonly ticketId: string;
  readonly parent: { readonly stream: "tickets" | "comments"; readonly id: string };
  readonly id: string;
  readonly url: string;
  readonly row: Attachment | null;
}

export const toAttachment = ({ ticketId, parent, id, row }: FoundFile) =>
  helpdesk.attachments.make({
    id: partId(ticketId, id),
    parent,
    fileName: row?.name ?? `image-${id.slice(1)}`,
    contentType: row?.content_type ?? "application/octet-stream",
    size: row?.size ?? null,
    inline: row === null,
    ...times(row ?? {}),
  });

/** An article that not everyone may see is a draft: a copy that is published would show it to all. */
export const toArticle = async (
  { row, folder }: { readonly row: Article; readonly folder: Folder | null },
  io: FreshdeskIo,
) => {
  const author = await askPerson(io, row.agent_id, true);
  return helpdesk.articles.make({
    id: String(row.id),
    title: row.title,
    body: { format: "html", text: row.description ?? "" },
    path: [...(folder?.path ?? [])],
    state: row.status === 2 && folder?.isPublic === true ? "published" : "draft",
    author: author?.stream === "users" ? author : null,
    tags: row.tags ?? [],
    ...times(row),
  });
};
