import {
  childStream,
  eachById,
  helpdesk,
  inPhases,
  listStream,
  type Pages,
  shareAnswer,
  skipRecord,
  toPage,
} from "@portage/connector-kit";
import {
  askAdmins,
  askById,
  askTeams,
  companyPages,
  contactList,
  conversationList,
  countOf,
  hexId,
  listedByChange,
  searched,
  ticketList,
} from "./ask.ts";
import {
  attributesOf,
  commentId,
  commentsIn,
  filesIn,
  type FoundFile,
  ofConversation,
  ofTicket,
  type Said,
  type Thread,
  ticketFieldsOf,
  toArticle,
  toAttachment,
  toComment,
  toContact,
  toGroup,
  toOrganization,
  toTicket,
  toUser,
  urlOf,
} from "./records.ts";
import { type Article, articleRow, companyRow, contactRow, conversationRow, ticketRow } from "./rows.ts";
import type { IntercomIo, Origins, Settings } from "./settings.ts";

/** A list that comes as a whole, and has no rows by id. */
const whole = <R extends { readonly id: string }>(ask: (io: IntercomIo) => Promise<readonly R[]>) => {
  const pages: Pages<R, Settings> = (rows) => async (io) => toPage(rows, io, await ask(io), null);
  return {
    pages,
    key: ({ id }: R) => id,
    byIds: async (io: IntercomIo, ids: readonly string[]) =>
      (await ask(io)).filter(({ id }) => ids.includes(id)),
  };
};

const users = listStream({ stream: helpdesk.users, ...whole(askAdmins), toRecord: toUser });

const groups = listStream({ stream: helpdesk.groups, ...whole(askTeams), toRecord: toGroup });

const organizations = listStream({
  stream: helpdesk.organizations,
  pages: companyPages,
  key: ({ id }) => id,
  toRecord: toOrganization,
  byIds: eachById(askById("companies", companyRow, hexId)),
  customFields: attributesOf("company"),
  urlOf: urlOf("organizations"),
});

const contacts = listStream({
  stream: helpdesk.contacts,
  delta: true,
  pages: searched(contactList),
  key: ({ id }) => id,
  toRecord: toContact,
  byIds: eachById(askById("contacts", contactRow, hexId)),
  count: countOf(contactList),
  customFields: attributesOf("contact"),
  urlOf: urlOf("contacts"),
});

const askConversation = askById("conversations", conversationRow);
const askTicket = askById("tickets", ticketRow);

/** A conversation or ticket with its parts and files: one call brings them all. */
const askThread = async (io: IntercomIo, id: string): Promise<Thread | null> => {
  if (id.startsWith("t")) {
    const ticket = await askTicket(io, id.slice(1));
    return ticket && ofTicket(ticket);
  }
  const conversation = await askConversation(io, id);
  return conversation && ofConversation(conversation);
};

/** Conversations, then tickets. */
const threads: Pages<Thread, Settings> = ({ toRecord, key }) =>
  inPhases([
    searched(conversationList)({
      key: (row) => key(ofConversation(row)),
      toRecord: (row, io) => toRecord(ofConversation(row), io),
    }),
    searched(ticketList)({
      key: (row) => key(ofTicket(row)),
      toRecord: (row, io) => toRecord(ofTicket(row), io),
    }),
  ]);

const tickets = (at: Origins) =>
  listStream({
    stream: helpdesk.tickets,
    delta: true,
    pages: threads,
    key: ({ id }) => id,
    toRecord: toTicket(at),
    byIds: eachById(askThread),
    readIds: threads({ key: ({ id }) => id, toRecord: ({ id }) => id }),
    sharedCursors: true,
    count: countOf(conversationList, ticketList),
    customFields: ticketFieldsOf,
    urlOf: urlOf("tickets"),
  });

type RowsOf<R> = (thread: Thread | null) => readonly R[];

/** Both kinds of parts come with their thread; one at a time is in memory. */
const ofThreads = <R>(rowsOf: RowsOf<R>, key: (row: R) => string) => ({
  perParent: "tickets",
  changesWithParent: true as const,
  key,
  async byIds(io: IntercomIo, ids: readonly string[]) {
    const found: R[] = [];
    for (const ticketId of new Set(ids.map((id) => id.replace(/-.*$/s, ""))))
      found.push(...rowsOf(await askThread(io, ticketId)).filter((row) => ids.includes(key(row))));
    return found;
  },
});

const partsOf = (at: Origins) => {
  const said: RowsOf<Said> = (thread) => (thread ? commentsIn(thread) : []);
  const attached: RowsOf<FoundFile> = (thread) => (thread ? filesIn(thread, at) : []);
  const shared = shareAnswer("threads", {
    load: askThread,
    // Links end, and are asked for when a file is opened.
    parts: {
      comments: said,
      attachments: (thread) => attached(thread).map((file) => ({ ...file, url: "" })),
    },
  });
  const comments = childStream({
    stream: helpdesk.comments,
    ...ofThreads(said, commentId),
    list: (io, ticketId, page) => shared.comments(io, page, ticketId),
    toRecord: toComment(at),
  });
  const files = ofThreads(attached, ({ id }) => id);
  const attachments = childStream({
    stream: helpdesk.attachments,
    ...files,
    list: (io, ticketId, page) => shared.attachments(io, page, ticketId),
    toRecord: toAttachment,
    openFile: async (io, { id, fileName, contentType, size }) => ({
      name: fileName,
      contentType,
      size,
      async open() {
        // Links end: a new one is asked for right before.
        const [found] = await files.byIds(io, [id]);
        if (!found) throw skipRecord("file_missing", "Intercom no longer has this file.", 404);
        return (await io.http.download({ url: found.url })).body;
      },
    }),
  });
  return { comments, attachments };
};

const articles = listStream({
  stream: helpdesk.articles,
  delta: true,
  pages: listedByChange<Article>({ url: "articles", name: "data", row: articleRow }),
  key: ({ id }) => id,
  toRecord: toArticle,
  byIds: eachById(askById("articles", articleRow)),
  urlOf: urlOf("articles"),
});

export const sourceOf = (at: Origins) => {
  const { comments, attachments } = partsOf(at);
  return {
    helpdesk: [users, organizations, contacts, groups, tickets(at), comments, articles, attachments],
  };
};
