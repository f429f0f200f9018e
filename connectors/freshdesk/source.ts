import {
  addressBook,
  askOne,
  childStream,
  eachById,
  type FileBody,
  helpdesk,
  linkPager,
  listStream,
  once,
  type Pages,
  shareAnswer,
  skipRecord,
  toPage,
  windowPager,
} from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import {
  askCompanyFields,
  askContactFields,
  askConversations,
  askFields,
  askFolders,
  askList,
  askTicket,
  type Folder,
  listClass,
  pageSize,
} from "./ask.ts";
import {
  customFieldsOf,
  type FoundFile,
  imagesIn,
  partId,
  ticketIdIn,
  toArticle,
  toAttachment,
  toComment,
  toContact,
  toGroup,
  toOrganization,
  toTicket,
  toUser,
  withValues,
} from "./records.ts";
import {
  agentRow,
  type Article,
  articleRow,
  type Attachment,
  companyRow,
  contactRow,
  type Conversation,
  groupRow,
  type Ticket,
  ticketRow,
} from "./rows.ts";
import type { FreshdeskIo, Origins, Settings } from "./settings.ts";

export const addresses = addressBook(
  {
    tickets: { at: ["/a/tickets/:id", "/helpdesk/tickets/:id"] },
    contacts: "/a/contacts/:id",
    organizations: "/a/companies/:id",
    articles: "/a/solutions/articles/:id",
  },
  15,
);

/** Without a moment the list has only tickets of the last 30 days. */
export const ever = "1970-01-01T00:00:00Z";
const maxPages = 300;

/** A list by page, in the order that Freshdesk chooses. */
const byLinks =
  <R extends { readonly id: number }>(
    url: string,
    row: ZodType<R>,
    filter: object = {},
  ): Pages<R, Settings> =>
  (rows) =>
    linkPager({
      ...rows,
      first: ({ since, size = pageSize }) => ({
        url,
        ...listClass(url),
        query: {
          per_page: Math.min(size, pageSize),
          ...(since && "since" in filter ? { _updated_since: since.toISOString() } : {}),
        },
      }),
      rows: (answer) => answer.json(z.array(row)),
    });

const byId = <R>(url: string, row: ZodType<R>) =>
  eachById((io: FreshdeskIo, id) => askOne(io, { url: `${url}/${id}` }, row));

export const users = listStream({
  stream: helpdesk.users,
  pages: byLinks("agents", agentRow),
  key: ({ id }) => id,
  toRecord: toUser,
  cheaperByPages: true,
  byIds: byId("agents", agentRow),
});

const organizations = listStream({
  stream: helpdesk.organizations,
  pages: byLinks("companies", companyRow),
  key: ({ id }) => id,
  toRecord: withValues(toOrganization, askCompanyFields),
  customFields: customFieldsOf(askCompanyFields),
  cheaperByPages: true,
  byIds: byId("companies", companyRow),
  urlOf: addresses.urlOf("organizations"),
});

const contacts = listStream({
  stream: helpdesk.contacts,
  delta: true,
  pages: byLinks("contacts", contactRow, { since: true }),
  key: ({ id }) => id,
  toRecord: withValues(toContact, askContactFields),
  customFields: customFieldsOf(askContactFields),
  cheaperByPages: true,
  byIds: byId("contacts", contactRow),
  urlOf: addresses.urlOf("contacts"),
});

const groups = listStream({
  stream: helpdesk.groups,
  pages: byLinks("groups", groupRow),
  key: ({ id }) => id,
  toRecord: toGroup,
  cheaperByPages: true,
  byIds: byId("groups", groupRow),
});

/** Tickets in the order of their last change: a list ends after 300 pages, so each page begins a new one. */
export const byChange =
  (withDescription: boolean): Pages<Ticket, Settings> =>
  (rows) =>
    windowPager({
      ...rows,
      size: pageSize,
      maxPages,
      changedAt: ({ updated_at }) => updated_at ?? ever,
      fetch: async ({ http }, _, { from, page, size }) =>
        (
          await http.send({
            url: "tickets",
            query: {
              updated_since: from ?? ever,
              order_by: "updated_at",
              order_type: "asc",
              page,
              per_page: size,
              ...(withDescription ? { include: "description" } : {}),
            },
            ...listClass("tickets"),
          })
        ).json(z.array(ticketRow)),
    });

const ticketStream = (at: Origins) =>
  listStream({
    stream: helpdesk.tickets,
    delta: true,
    pages: byChange(true),
    key: ({ id }) => id,
    toRecord: toTicket(at),
    cheaperByPages: true,
    byIds: eachById(askTicket),
    readIds: byChange(false)({ key: ({ id }) => id, toRecord: ({ id }) => String(id) }),
    sharedCursors: true,
    urlOf: addresses.urlOf("tickets"),
    customFields: customFieldsOf(askFields),
  });

export const ticketIdsIn = (ids: readonly string[]) => [
  ...new Set(ids.flatMap((id) => ticketIdIn(id) ?? [])),
];

export const conversationsById = async (io: FreshdeskIo, ids: readonly string[]) => {
  const rows = await Promise.all(ticketIdsIn(ids).map((id) => askConversations(io, id)));
  return rows.flat().filter(({ ticketId, id }) => ids.includes(partId(ticketId, id)));
};

interface Place {
  readonly parent: FoundFile["parent"];
  readonly html: string;
  readonly rows: readonly Attachment[];
}

/** The listed files of texts, and the images inside them. */
const foundIn = (at: Origins, ticketId: string, places: readonly Place[]): readonly FoundFile[] =>
  places.flatMap(({ parent, html, rows }) => [
    ...rows.map((row) => ({ ticketId, parent, id: String(row.id), url: row.attachment_url, row })),
    ...[...imagesIn(html, at)].map(([src, { id }]) => ({
      ticketId,
      parent,
      id: `i${id}`,
      url: src.replaceAll("&amp;", "&"),
      row: null,
    })),
  ]);

const foundInTicket = (at: Origins, { id, description, attachments }: Ticket) =>
  foundIn(at, String(id), [
    {
      parent: { stream: "tickets", id: String(id) },
      html: description ?? "",
      rows: attachments ?? [],
    },
  ]);

const foundInConversations = (at: Origins, said: readonly Conversation[]) =>
  said.flatMap(({ ticketId, id, body, attachments }) =>
    foundIn(at, ticketId, [
      {
        parent: { stream: "comments", id: partId(ticketId, id) },
        html: body ?? "",
        rows: attachments ?? [],
      },
    ]),
  );

/** An image that is quoted again belongs to the first text. */
const firstOfEach = (found: readonly FoundFile[]): readonly FoundFile[] =>
  [...new Map(found.toReversed().map((each) => [each.id, each])).values()].toReversed();

type Said = (io: FreshdeskIo, ticketId: string) => Promise<readonly FoundFile[]>;

/** All files of a ticket: its own, those of its comments, and the images inside their texts. */
const filesOf = (at: Origins, said: Said) => async (io: FreshdeskIo, ticketId: string) => {
  const ticket = await askTicket(io, ticketId);
  return ticket ? firstOfEach([...foundInTicket(at, ticket), ...(await said(io, ticketId))]) : [];
};

const withoutLinks = (found: readonly FoundFile[]): readonly FoundFile[] =>
  found.map((file) => ({ ...file, url: "", row: file.row && { ...file.row, attachment_url: "" } }));

export const fileAt = (
  io: FreshdeskIo,
  url: string,
  { fileName, contentType, size }: Pick<ReturnType<typeof toAttachment>, "fileName" | "contentType" | "size">,
): FileBody => ({
  name: fileName,
  contentType,
  size,
  open: async () => (await io.http.download({ url })).body,
});

const partsOf = (at: Origins) => {
  const shared = shareAnswer("conversations", {
    load: (io: FreshdeskIo, ticketId: string) => askConversations(io, ticketId),
    // Links end, and are asked for when a file is opened.
    parts: {
      comments: (said) => said,
      attachments: (said) => withoutLinks(foundInConversations(at, said)),
    },
  });
  const comments = childStream({
    stream: helpdesk.comments,
    perParent: "tickets",
    changesWithParent: true,
    list: (io, ticketId, page) => shared.comments(io, page, ticketId),
    key: ({ ticketId, id }) => partId(ticketId, id),
    toRecord: toComment(at),
    byIds: conversationsById,
  });
  const files = once(
    filesOf(at, async (io, ticketId) => foundInConversations(at, await askConversations(io, ticketId))),
  );
  const attachments = childStream({
    stream: helpdesk.attachments,
    perParent: "tickets",
    changesWithParent: true,
    list: (io: FreshdeskIo, ticketId, page) =>
      filesOf(at, (same, id) => shared.attachments(same, page, id))(io, ticketId),
    key: ({ ticketId, id }: FoundFile) => partId(ticketId, id),
    toRecord: toAttachment,
    byIds: async (io, ids) => {
      const found = await Promise.all(ticketIdsIn(ids).map((id) => files(io, id)));
      return found.flat().filter(({ ticketId, id }) => ids.includes(partId(ticketId, id)));
    },
    // A link works for some minutes: it is asked for right before.
    async openFile(io, record) {
      const ticketId = ticketIdIn(record.id) ?? "";
      const found = (await files(io, ticketId)).find((each) => partId(ticketId, each.id) === record.id);
      if (!found) throw skipRecord("file_missing", "Freshdesk no longer has this file.", 404);
      return fileAt(io, found.url, record);
    },
  });
  return { comments, attachments };
};

interface ArticleInFolder {
  readonly row: Article;
  readonly folder: Folder | null;
}

/** The articles of one folder after another. */
const byFolder: Pages<ArticleInFolder, Settings> =
  (rows) =>
  async (io, { cursor }) => {
    const after = Number(cursor?.["folder"] ?? 0);
    const [folder, next] = (await askFolders(io)).filter(({ id }) => id > after);
    if (!folder) return { records: [], next: null };
    const found = await askList(io, `solutions/folders/${folder.id}/articles`, articleRow);
    const own = found.map((row) => ({ row, folder }));
    return toPage(rows, io, own, next ? { folder: folder.id } : null);
  };

const articles = listStream({
  stream: helpdesk.articles,
  pages: byFolder,
  key: ({ row }) => row.id,
  toRecord: toArticle,
  cheaperByPages: true,
  byIds: async (io, ids) => {
    const rows = await byId("solutions/articles", articleRow)(io, ids);
    const folders = await askFolders(io);
    return rows.map((row) => ({ row, folder: folders.find(({ id }) => id === row.folder_id) ?? null }));
  },
  urlOf: addresses.urlOf("articles"),
});

export const sourceOf = (at: Origins) => {
  const { comments, attachments } = partsOf(at);
  return {
    helpdesk: [users, organizations, contacts, groups, ticketStream(at), comments, articles, attachments],
  };
};
