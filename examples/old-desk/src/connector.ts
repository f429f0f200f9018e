/**
 * The connector for Attic Desk: a source of the family `helpdesk`, and an example of how little a tool with keyset paging
 * needs.
 * Invariants: it reads only; ids are those of the old tool; texts carry their images and links as references.
 */
import {
  type Connector,
  type CustomField,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  type Http,
  type Io,
  keysetPager,
  kitVersion,
  pathWithin,
  type RichText,
  type SourceStream,
} from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { z } from "zod";
import type { PersonRef, TableName, Tables, ticketFields } from "./tables.ts";

/** What the wizard's form holds before the customer types: the demo fills it in, so that connecting is one click. */
interface Suggested {
  readonly instanceUrl?: string | undefined;
  readonly token?: string | undefined;
}

const settingsWith = ({ instanceUrl, token }: Suggested) =>
  z.object({
    instanceUrl: z.url().meta({
      title: "Attic Desk address",
      description: "The address of its front page.",
      ...(instanceUrl !== undefined && { default: instanceUrl }),
    }),
    token: z
      .string()
      .min(1)
      .meta({
        title: "API key",
        description: "In Attic Desk: Settings, “API key”.",
        where: ["In Attic Desk, open **Settings**.", "Copy the **API key** and paste it here."],
        ...(token !== undefined && { default: token }),
      }),
  });

type Settings = z.infer<ReturnType<typeof settingsWith>>;

const pages: Readonly<Record<string, string>> = {
  tickets: "tickets",
  comments: "messages",
  articles: "articles",
  contacts: "customers",
  attachments: "files",
};

const recordAt = ({ instanceUrl }: Settings, url: string) => {
  const within = pathWithin(instanceUrl, url);
  const [, page, id] = /^(tickets|articles|customers|files)\/([1-9]\d{0,8})$/.exec(within?.path ?? "") ?? [];
  const message = /^message-([1-9]\d{0,8})$/.exec(within?.fragment ?? "")?.[1];
  if (!page || !id) return null;
  if (page === "tickets" && message) return { stream: "comments", id: message };
  const stream = Object.keys(pages).find((name) => pages[name] === page);
  return stream ? { stream, id } : null;
};

const rich = (text: string, { instanceUrl }: Settings): RichText =>
  richTextOf("html", text, (url) => recordAt({ instanceUrl, token: "" }, new URL(url, instanceUrl).href));

/** The API adds names to people. */
const who = (person: PersonRef & { readonly name?: string }) =>
  "table" in person
    ? {
        stream: person.table === "agents" ? "users" : "contacts",
        id: String(person.id),
        name: person.name ?? null,
      }
    : { name: person.name };

type Named<T> = T & { readonly customerName?: string; readonly agentName?: string };

const ref = (id: number | null) => (id === null ? null : String(id));
const dated = ({ id, made, changed }: { id: number; made: string; changed: string }) => ({
  id: String(id),
  createdAt: made,
  updatedAt: changed,
});

const kinds = {
  New: "new",
  Open: "open",
  "Waiting for customer": "pending",
  "In the workshop": "on_hold",
  Done: "solved",
  Closed: "closed",
} as const;

const urgency = { Low: "low", Normal: "normal", High: "high", "Drop everything": "urgent" } as const;

const bins = { spam: "spam", archive: "archived" } as const;

const list = async <T extends TableName>(
  http: Http,
  table: T,
  query: Readonly<Record<string, string | number | undefined>>,
) => (await http.send({ url: `api/${table}`, query })).json<{ rows: Tables[T][]; total: number }>();

type Source = SourceStream<FamilyRecord, Settings>;

/** A stream of one table. */
const streamOf = <T extends TableName, R extends FamilyRecord, I>(
  stream: FamilyStream<R, I>,
  table: T,
  toRecord: (row: Tables[T], given: Settings) => I,
  more: Partial<Source> = {},
): Source => {
  const make = (row: Tables[T], { settings: given }: Io<Settings>) => stream.make(toRecord(row, given));
  const page = pages[stream.name];
  const source: SourceStream<R, Settings> = {
    stream,
    delta: true,
    readPage: keysetPager<Tables[T], R, Settings>({
      size: 50,
      key: ({ id }) => id,
      toRecord: make,
      fetch: async ({ http }, { since }, { after, size }) =>
        (await list(http, table, { after: after ?? 0, limit: size, since: since?.toISOString() })).rows,
    }),
    readByIds: async (io, ids) =>
      (await list(io.http, table, { ids: ids.join(",") })).rows.map((row) => make(row, io)),
    count: async ({ http }) => ({ value: (await list(http, table, { limit: 1 })).total, exact: true }),
    ...(page !== undefined &&
      page !== "messages" && {
        urlOf: ({ instanceUrl }: Settings, { id }: R) => new URL(`/${page}/${id}`, instanceUrl).href,
      }),
  };
  // The streams of one connector hold records of different types; the engine passes each its own type.
  return { ...(source as unknown as Source), ...more };
};

const users = streamOf(helpdesk.users, "agents", (row) => ({
  ...dated(row),
  name: row.name,
  email: row.email,
  active: row.active,
  role: row.admin ? ("admin" as const) : ("agent" as const),
}));

const organizations = streamOf(helpdesk.organizations, "companies", (row, given) => ({
  ...dated(row),
  name: row.name,
  domains: [...row.domains],
  externalId: row.account,
  notes: row.notes === null ? null : rich(row.notes, given),
}));

const contacts = streamOf(helpdesk.contacts, "customers", (row, given) => ({
  ...dated(row),
  name: row.name,
  emails: [...row.emails],
  phones: [...row.phones],
  organizationId: ref(row.companyId),
  organizationIds: row.alsoOf.length === 0 ? [] : [row.companyId ?? 0, ...row.alsoOf].map(String),
  externalId: row.account,
  active: !row.blocked,
  locale: row.language,
  notes: row.notes === null ? null : rich(row.notes, given),
}));

const groups = streamOf(helpdesk.groups, "teams", (row) => ({
  ...dated(row),
  name: row.name,
  description: row.purpose,
  memberIds: row.members.map(String),
}));

const customFields = async ({ http }: Io<Settings>): Promise<readonly CustomField[]> =>
  (await http.send({ url: "api/fields" })).json<typeof ticketFields>().map((field) => ({
    key: field.key,
    label: field.label,
    type: field.type,
    required: false,
    writable: false,
    ...("options" in field && { options: field.options.map((value) => ({ value, label: value })) }),
  }));

const tickets = streamOf(
  helpdesk.tickets,
  "tickets",
  (row: Named<Tables["tickets"]>, given) => ({
    ...dated(row),
    subject: row.subject,
    description: rich(row.text, given),
    status: row.state,
    statusKind: kinds[row.state],
    priority: row.priority,
    priorityKind: urgency[row.priority],
    type: row.kind,
    author: who(row.author),
    requester:
      row.customerId === null
        ? null
        : { stream: "contacts", id: String(row.customerId), name: row.customerName ?? null },
    assignee:
      row.agentId === null ? null : { stream: "users", id: String(row.agentId), name: row.agentName ?? null },
    groupId: ref(row.teamId),
    organizationId: ref(row.companyId),
    channel: row.channel,
    number: row.number,
    formName: row.form,
    brand: row.shop,
    state: row.bin === null ? ("active" as const) : bins[row.bin],
    mergedInto: ref(row.mergedInto),
    cc: [...row.copies],
    dueAt: row.due,
    solvedAt: row.done,
    tags: [...row.tags],
    customFields: { ...row.fields },
  }),
  { customFields },
);

const comments: Source = streamOf(
  helpdesk.comments,
  "messages",
  (row, given) => ({
    ...dated(row),
    ticketId: String(row.ticketId),
    visibility: row.internal ? ("internal" as const) : ("public" as const),
    body: rich(row.text, given),
    author: who(row.author),
    kind: row.internal ? ("note" as const) : row.via === "phone" ? ("call" as const) : ("reply" as const),
    incoming: row.internal ? null : "table" in row.author && row.author.table === "customers",
    to: [...row.to],
    cc: [...row.copies],
    channel: row.via === "mail" ? "email" : row.via,
  }),
  {
    readByParents: async (io, parents) => {
      const { rows } = await list(io.http, "messages", { of: parents.map(({ id }) => id).join(",") });
      return comments.readByIds(
        io,
        rows.map(({ id }) => String(id)),
      );
    },
    urlOf: ({ instanceUrl }, record) => {
      const { ticketId, id } = record as unknown as { ticketId: string; id: string };
      return new URL(`/tickets/${ticketId}#message-${id}`, instanceUrl).href;
    },
  },
);

const articles = streamOf(helpdesk.articles, "articles", (row: Named<Tables["articles"]>, given) => ({
  ...dated(row),
  title: row.title,
  body: rich(row.text, given),
  path: [...row.shelf],
  categoryId: ref(row.shelfId),
  state: row.state,
  author: { stream: "users", id: String(row.agentId), name: row.agentName ?? null },
}));

const macros = streamOf(helpdesk.macros, "snippets", (row, given) => ({
  ...dated(row),
  name: row.name,
  path: [row.folder],
  body: rich(row.text, given),
  groupIds: row.teams.map(String),
}));

const articleCategories = streamOf(helpdesk.articleCategories, "shelves", (row, given) => ({
  ...dated(row),
  name: row.name,
  description: row.about === null ? null : rich(row.about, given),
  parentCategoryId: ref(row.under),
  position: row.place,
}));

/** A stream whose rows belong to a ticket or an article. */
const partsOf = <T extends TableName, R extends FamilyRecord, I>(
  stream: FamilyStream<R, I>,
  table: T,
  toRecord: (row: Tables[T], given: Settings) => I,
): Source => {
  const made: Source = streamOf(stream, table, toRecord, {
    readByParents: async (io, parents) => {
      const { rows } = await list(io.http, table, { of: parents.map(({ id }) => id).join(",") });
      return made.readByIds(
        io,
        rows.map(({ id }) => String(id)),
      );
    },
  });
  return made;
};

const articleTranslations = partsOf(helpdesk.articleTranslations, "translations", (row, given) => ({
  ...dated(row),
  articleId: String(row.articleId),
  locale: row.language,
  title: row.title,
  body: rich(row.text, given),
  state: "published" as const,
}));

const timeEntries = partsOf(helpdesk.timeEntries, "work", (row: Named<Tables["work"]>) => ({
  ...dated(row),
  ticketId: String(row.ticketId),
  author: { stream: "users", id: String(row.agentId), name: row.agentName ?? null },
  startedAt: row.made,
  minutes: row.minutes,
  billable: row.paid,
  note: row.done,
}));

const scoreOf = (stars: number) => {
  if (stars === 3) return "neutral" as const;
  return stars > 3 ? ("good" as const) : ("bad" as const);
};

const ratings = partsOf(helpdesk.ratings, "ratings", (row: Named<Tables["ratings"]>) => ({
  ...dated(row),
  ticketId: String(row.ticketId),
  author: { stream: "contacts", id: String(row.customerId), name: row.customerName ?? null },
  score: scoreOf(row.stars),
  word: `${row.stars} of 5`,
  comment: row.words,
}));

/** A part names what it is part of; the family says it the other way round. */
const ticketRelations = streamOf(helpdesk.ticketRelations, "links", ({ from, to, how, ...row }) => {
  const [first, second] = how === "same as" ? [from, to] : [to, from];
  return {
    ...dated(row),
    fromTicketId: String(first),
    toTicketId: String(second),
    kind: how === "same as" ? ("duplicates" as const) : ("parent_of" as const),
  };
});

const parentStreams = { tickets: "tickets", messages: "comments", articles: "articles" } as const;

const attachments: Source = streamOf(
  helpdesk.attachments,
  "files",
  (row) => ({
    ...dated(row),
    parent: { stream: parentStreams[row.parent.table], id: String(row.parent.id) },
    fileName: row.name,
    contentType: row.type,
    size: row.bytes,
    inline: row.inline,
  }),
  {
    readByParents: async (io, parents) => {
      const found = await Promise.all(
        Object.entries(parentStreams).map(async ([table, stream]) => {
          const of = parents.filter((each) => each.stream === stream).map(({ id }) => id);
          return of.length === 0 ? [] : (await list(io.http, "files", { of: of.join(","), in: table })).rows;
        }),
      );
      return attachments.readByIds(
        io,
        found.flat().map(({ id }) => String(id)),
      );
    },
    openFile: async ({ http }, record) => {
      const { id, fileName, contentType, size } = record as unknown as {
        id: string;
        fileName: string;
        contentType: string;
        size: number;
      };
      return {
        name: fileName,
        contentType,
        size,
        open: async () => (await http.download({ url: `api/files/${id}/content` })).body,
      };
    },
  },
);

export const atticDesk = (suggested: Suggested = {}): Connector<Settings> => ({
  manifest: {
    kit: kitVersion,
    name: "attic-desk",
    label: "Attic Desk",
    families: ["helpdesk"],
    roles: ["source"],
    settings: settingsWith(suggested),
    auth: { kind: "secret", secrets: ["token"], headers: ({ token }) => ({ "x-attic-key": token }) },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 8,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  async check({ http }) {
    const me = (await http.send({ url: "api/me" })).json(z.object({ user: z.string(), company: z.string() }));
    return { signInName: me.user, accountName: me.company, accountId: me.company };
  },
  recordAt,
  source: {
    helpdesk: [
      users,
      organizations,
      contacts,
      groups,
      macros,
      tickets,
      comments,
      ticketRelations,
      timeEntries,
      ratings,
      articleCategories,
      articles,
      articleTranslations,
      attachments,
    ],
  },
});
