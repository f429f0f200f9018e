import {
  type CustomField,
  type CustomFieldType,
  type CustomValue,
  helpdesk,
  oneLine,
  pathWithin,
  type RecordOf,
  type RichText,
  skipRecord,
  truncate,
} from "@portage/connector-kit";
import { reachOf } from "@portage/connector-kit/http";
import { convertRichText, findReferences, rewriteReferences } from "@portage/connector-kit/rich-text";
import { askAttributes, askSeenAttributes, askTagNames, askTicketAttributes, isAdmin, whoOf } from "./ask.ts";
import type { Admin, Article, Company, Contact, Conversation, Message, Part, Team, Ticket } from "./rows.ts";
import { type IntercomIo, type Origins, placeOf, type Settings } from "./settings.ts";

const moment = (seconds: number | null | undefined) =>
  typeof seconds === "number" ? new Date(seconds * 1000).toISOString() : null;

const times = (row: { created_at?: number | null | undefined; updated_at?: number | null | undefined }) => ({
  createdAt: moment(row.created_at),
  updatedAt: moment(row.updated_at),
});

interface ThreadParts {
  /** With a `t` for a ticket: tickets have a search and ids of their own. */
  readonly id: string;
  readonly first: Message;
  readonly parts: readonly Part[];
  /** Intercom has older parts than it shows. */
  readonly isCut: boolean;
}

export type Thread = ThreadParts &
  (
    | { readonly kind: "conversation"; readonly row: Conversation }
    | { readonly kind: "ticket"; readonly row: Ticket }
  );

const partsOf = (parts: readonly Part[] = [], total: number | null | undefined = 0) => ({
  // The others are assignments and closings.
  parts: parts.filter(({ body, attachments }) => body || (attachments ?? []).length > 0),
  isCut: (total ?? 0) > parts.length,
});

export const ofConversation = (row: Conversation): Thread => ({
  kind: "conversation",
  row,
  id: row.id,
  first: row.source ?? {},
  ...partsOf(row.conversation_parts?.conversation_parts, row.conversation_parts?.total_count),
});

const attribute = ({ ticket_attributes: given }: Ticket, name: string) => {
  const value = given?.[name];
  return typeof value === "string" ? value : null;
};

export const ofTicket = (row: Ticket): Thread => ({
  kind: "ticket",
  row,
  id: `t${row.id}`,
  first: { body: attribute(row, "_default_description_") },
  ...partsOf(row.ticket_parts?.ticket_parts, row.ticket_parts?.total_count),
});

const pages: readonly (readonly [string, RegExp])[] = [
  ["tickets", /^inbox\/(?:[a-z0-9_-]+\/)*conversation\/([1-9]\d{0,19})$/],
  ["contacts", /^apps\/users\/([0-9a-f]{24})(?:\/.*)?$/],
  ["organizations", /^apps\/companies\/([0-9a-f]{24})(?:\/.*)?$/],
  ["articles", /^apps\/articles\/articles\/([1-9]\d{0,19})(?:\/.*)?$/],
];

const addresses: Readonly<Record<string, (workspace: string, id: string) => string>> = {
  // The inbox shows both alike; the fragment tells them apart.
  tickets: (workspace, id) => `inbox/${workspace}/inbox/conversation/${id.replace(/^t(\d+)$/, "$1#ticket")}`,
  contacts: (workspace, id) => `apps/${workspace}/users/${id}/all-conversations`,
  organizations: (workspace, id) => `apps/${workspace}/companies/${id}/users`,
  articles: (workspace, id) => `apps/${workspace}/articles/articles/${id}/show`,
};

export const urlOf =
  (stream: string) =>
  (settings: Settings, { id }: { readonly id: string }): string => {
    const { origin, workspace } = placeOf(settings) ?? { origin: "", workspace: "" };
    return `${origin}/a/${addresses[stream]?.(workspace, id)}`;
  };

export const recordAt = (settings: Settings, url: string) => {
  const at = placeOf(settings);
  const within = at && pathWithin(`${at.origin}/a`, url);
  const [app, workspace, ...rest] = within?.path.replace(/\/$/, "").split("/") ?? [];
  if (!at || workspace !== at.workspace) return null;
  for (const [stream, page] of pages) {
    const id = page.exec([app, ...rest].join("/"))?.[1];
    if (id !== undefined) return { stream, id: within?.fragment === "ticket" ? `t${id}` : id };
  }
  return null;
};

/** The files of a message have no ids: their place in it is one. */
const fileKey = ({ ticketId, part }: Said) => `${ticketId}-${part?.id ?? "source"}`;

const imagesIn = (html: string, { files }: Origins): readonly string[] =>
  findReferences({ format: "html", text: html }).flatMap(({ kind, url }) => {
    const at = kind === "image" ? URL.parse(url) : null;
    return at && reachOf({ api: ["https://none.invalid"], files }, at) === "files" ? [url] : [];
  });

/** Links to images are signed anew for each answer; the text of a record has names in their place. */
const richText = (said: Said, html: string, settings: Settings, at: Origins): RichText => {
  const ids = new Map(imagesIn(html, at).map((url, index) => [url, `${fileKey(said)}-i${index + 1}`]));
  const named = new Map([...ids].map(([url, id]) => [url, `intercom-image:${id}`]));
  return {
    format: "html",
    text: rewriteReferences({ format: "html", text: html }, named),
    references: findReferences({ format: "html", text: html }).map(({ kind, url }) => {
      const id = ids.get(url);
      return {
        kind,
        url: named.get(url) ?? url,
        to: id === undefined ? recordAt(settings, url) : { stream: "attachments", id },
      };
    }),
  };
};

const plainLine = (html: string | null | undefined) =>
  truncate(oneLine(convertRichText({ format: "html", text: html ?? "" }, "plain").text), 120);

const numbers = new Set(["integer", "float", "decimal"]);
const typeOf = (data: string): CustomFieldType =>
  numbers.has(data) ? "number" : data === "boolean" ? "boolean" : data.startsWith("date") ? "moment" : "text";

const valueOf = (value: unknown, type: CustomFieldType | undefined): CustomValue => {
  if (type === "moment") return typeof value === "number" ? moment(value) : null;
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string");
  return ["string", "number", "boolean"].includes(typeof value) ? (value as CustomValue) : null;
};

const isOwn = (key: string) => !key.startsWith("_default_");

const valuesOf = (
  given: Readonly<Record<string, unknown>> | null | undefined,
  types: readonly { readonly name: string; readonly data_type: string }[],
) => {
  const known = new Map(types.map(({ name, data_type: type }) => [name, typeOf(type)]));
  const values = Object.entries(given ?? {})
    .filter(([key]) => isOwn(key))
    .map(([key, value]) => [key, valueOf(value, known.get(key))] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null && value !== ""));
};

const field = (key: string, label: string, type: CustomFieldType, options: readonly string[] = []) => ({
  key,
  label,
  required: false,
  writable: true,
  ...(options.length > 0
    ? { type: "choice" as const, options: options.map((value) => ({ value, label: value })) }
    : { type }),
});

export const attributesOf =
  (model: "contact" | "company") =>
  async (io: IntercomIo): Promise<readonly CustomField[]> =>
    (await askAttributes(io, model)).map(({ name, label, data_type: type, options }) =>
      field(name, label ?? name, typeOf(type), options ?? []),
    );

export const ticketFieldsOf = async (io: IntercomIo): Promise<readonly CustomField[]> => {
  const fields = new Map<string, CustomField>();
  for (const { name, data_type: type } of await askTicketAttributes(io))
    fields.set(name, field(name, name, typeOf(type)));
  for (const attributes of await askSeenAttributes(io))
    for (const [key, value] of Object.entries(valuesOf(attributes, [])))
      if (!fields.has(key))
        fields.set(key, field(key, key, typeOf(typeof value === "number" ? "integer" : typeof value)));
  return [...fields.values()];
};

const namesIn = (tags: Conversation["tags"]) => (tags?.tags ?? []).flatMap(({ name }) => name ?? []);

export const toUser = ({ id, name, email }: Admin) =>
  helpdesk.users.make({ id, name: name || email || `Teammate ${id}`, email: email || null });

export const toGroup = ({ id, name, admin_ids: members }: Team) =>
  helpdesk.groups.make({ id, name: name || `Team ${id}`, memberIds: (members ?? []).map(String) });

export const toOrganization = async (row: Company, io: IntercomIo) =>
  helpdesk.organizations.make({
    id: row.id,
    name: row.name || row.company_id || `Company ${row.id}`,
    tags: namesIn(row.tags),
    externalId: row.company_id || null,
    customFields: valuesOf(row.custom_attributes, await askAttributes(io, "company")),
    ...times(row),
  });

export const toContact = async (row: Contact, io: IntercomIo) => {
  const tags = row.tags?.data ?? [];
  const companies = (row.companies?.data ?? []).map(({ id }) => id);
  const names = tags.length > 0 ? await askTagNames(io) : new Map<string, string>();
  return helpdesk.contacts.make({
    id: row.id,
    name: row.name || row.email || row.phone || `Contact ${row.id}`,
    emails: row.email ? [row.email] : [],
    phones: row.phone ? [row.phone] : [],
    organizationId: companies[0] ?? null,
    organizationIds: companies.length > 1 ? companies : [],
    externalId: row.external_id || null,
    locale: row.language_override || row.browser_language || null,
    tags: tags.flatMap(({ id }) => names.get(id) ?? []),
    customFields: valuesOf(row.custom_attributes, await askAttributes(io, "contact")),
    ...times(row),
  });
};

type Kind = RecordOf<typeof helpdesk.tickets>["statusKind"];
const kinds: Readonly<Record<string, Kind>> = {
  open: "open",
  snoozed: "on_hold",
  closed: "closed",
  submitted: "new",
  in_progress: "open",
  waiting_on_customer: "pending",
  resolved: "solved",
};

const priorityKinds: Readonly<Record<string, "low" | "normal" | "high" | "urgent">> = {
  low: "low",
  medium: "normal",
  high: "high",
  urgent: "urgent",
};

/** What is different between the two: both have people, teams, parts and dates alike. */
const ownFields = async (thread: Thread, io: IntercomIo) => {
  if (thread.kind === "ticket") {
    const { row } = thread;
    const category = row.ticket_state?.category ?? "submitted";
    return {
      title: attribute(row, "_default_title_"),
      status: row.ticket_state?.internal_label || category,
      statusKind: kinds[category] ?? "open",
      type: row.ticket_type?.name ?? null,
      number: row.ticket_id ?? null,
      customFields: valuesOf(row.ticket_attributes, await askTicketAttributes(io)),
    };
  }
  const { row } = thread;
  const priority = row.priority && row.priority !== "none" ? row.priority : null;
  const channel = row.source?.type ?? null;
  return {
    title: row.title || plainLine(row.source?.subject) || plainLine(row.source?.body),
    status: row.state,
    statusKind: kinds[row.state] ?? "open",
    priority,
    priorityKind: priorityKinds[priority ?? ""] ?? null,
    channel: channel === "conversation" ? "chat" : channel,
    organizationId: row.company?.id ?? null,
    tags: namesIn(row.tags),
    customFields: valuesOf(row.custom_attributes, []),
  };
};

export const toTicket = (at: Origins) => async (thread: Thread, io: IntercomIo) => {
  const { id, first, row } = thread;
  const { title, ...own } = await ownFields(thread, io);
  const author = await whoOf(io, first.author);
  const [contactId, ...others] = (row.contacts?.contacts ?? []).map((contact) => contact.id);
  // The first message names the contact, if it is theirs.
  const isTheirs = contactId === undefined || contactId === first.author?.id;
  const requester = isTheirs ? author : await whoOf(io, { type: "contact", id: contactId });
  const agentId = row.admin_assignee_id ? String(row.admin_assignee_id) : null;
  return helpdesk.tickets.make({
    id,
    subject: title || `Conversation ${row.id}`,
    description: first.body ? richText({ ticketId: id, part: null }, first.body, io.settings, at) : null,
    ...own,
    author: author ?? (thread.kind === "ticket" ? requester : null),
    requester,
    assignee: agentId && (await isAdmin(io, agentId)) ? { stream: "users", id: agentId } : null,
    groupId: row.team_assignee_id ? String(row.team_assignee_id) : null,
    followers: others.map((other) => ({ stream: "contacts", id: other })),
    ...times(row),
  });
};

/** A part of a thread; null: those that Intercom no longer shows. */
export interface Said {
  readonly ticketId: string;
  readonly part: Part | null;
}

export const commentsIn = ({ id: ticketId, parts, isCut }: Thread): readonly Said[] => [
  ...(isCut ? [{ ticketId, part: null }] : []),
  ...parts.map((part) => ({ ticketId, part })),
];

export const commentId = ({ ticketId, part }: Said) => `${ticketId}-${part?.id ?? "older"}`;

/** What customers saw. All others, of which Intercom has many kinds, are taken for internal. */
const publicParts = new Set(["comment", "open", "close", "quick_reply"]);

const partKinds: Readonly<Record<string, "reply" | "note">> = { comment: "reply", note: "note" };

/** Null: Intercom's own doing. */
const isIncoming = (type: string | null | undefined): boolean | null => {
  if (type === "admin" || type === "team") return false;
  return type === "user" || type === "lead" || type === "contact" ? true : null;
};

export const toComment = (at: Origins) => async (said: Said, io: IntercomIo) => {
  const { ticketId, part } = said;
  if (!part)
    throw skipRecord("older_not_shown", "Intercom shows only the newest 500 parts of a conversation.");
  return helpdesk.comments.make({
    id: commentId(said),
    ticketId,
    visibility: publicParts.has(part.part_type) ? "public" : "internal",
    body: richText(said, part.body ?? "", io.settings, at),
    author: await whoOf(io, part.author),
    kind: partKinds[part.part_type] ?? null,
    incoming: isIncoming(part.author?.type),
    ...times(part),
  });
};

/** A file with a link that works for half an hour. */
export interface FoundFile {
  readonly id: string;
  readonly parent: { readonly stream: "tickets" | "comments"; readonly id: string };
  readonly author: Message["author"];
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly url: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number | null;
  readonly inline: boolean;
}

const unknownType = "application/octet-stream";

/** All files of a thread: of its first message and its parts, and the images inside their texts. */
export const filesIn = ({ id: ticketId, first, parts }: Thread, at: Origins): readonly FoundFile[] => {
  const all = [{ part: null, message: first }, ...parts.map((part) => ({ part, message: part }))];
  return all.flatMap(({ part, message }): FoundFile[] => {
    const said = { ticketId, part };
    const base = {
      parent: part
        ? { stream: "comments" as const, id: commentId(said) }
        : { stream: "tickets" as const, id: ticketId },
      author: message.author,
      ...times(part ?? {}),
      contentType: unknownType,
      size: null,
      inline: false,
    };
    const files = (message.attachments ?? []).map((file, index) => ({
      ...base,
      id: `${fileKey(said)}-${index + 1}`,
      url: file.url,
      name: file.name || `file-${index + 1}`,
      contentType: file.content_type || unknownType,
      size: file.filesize ?? null,
    }));
    const images = imagesIn(message.body ?? "", at).map((url, index) => ({
      ...base,
      id: `${fileKey(said)}-i${index + 1}`,
      url,
      name: `image-${index + 1}`,
      inline: true,
    }));
    return [...files, ...images];
  });
};

export const toAttachment = async ({ name, url: _, author, ...file }: FoundFile, io: IntercomIo) =>
  helpdesk.attachments.make({ ...file, fileName: name, author: await whoOf(io, author) });

/** An article that not everyone may see is a draft: a copy that is published would show it to all. */
const isForEveryone = ({ help_center_audience: audience }: Article) =>
  (audience ?? "everyone") === "everyone";

export const toArticle = async (row: Article, io: IntercomIo) =>
  helpdesk.articles.make({
    id: row.id,
    title: row.title || `Article ${row.id}`,
    body: { format: "html", text: row.body ?? "" },
    state: row.state === "published" && isForEveryone(row) ? "published" : "draft",
    locale: row.default_locale || null,
    tags: namesIn(row.tags),
    author:
      row.author_id && (await isAdmin(io, row.author_id))
        ? { stream: "users", id: String(row.author_id) }
        : null,
    ...times(row),
  });
