import {
  askOne,
  type FileBody,
  hasStatus,
  helpdesk,
  listStream,
  type ListStream,
  once,
  type ReadPage,
  readPages,
  recover,
  type RecordOf,
  shareAnswer,
  type SourceStream,
  skipRecord,
} from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { z } from "zod";
import { targetOf } from "./addresses.ts";
import { api, askAll, momentOf, rowsIn } from "./ask.ts";
import { askSince, exportByTime, type TimePage } from "./export.ts";
import { whoOf } from "./people-source.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import { unwrapped } from "./texts.ts";
import { isLive } from "./tickets-source.ts";

export type Comment = RecordOf<typeof helpdesk.comments>;
export type Attachment = RecordOf<typeof helpdesk.attachments>;

const attachmentRow = z.object({
  id: z.number(),
  file_name: z.string(),
  content_url: z.string(),
  content_type: z.string().nullish(),
  size: z.number().nullish(),
  inline: z.boolean().nullish(),
  deleted: z.boolean().nullish(),
  malware_scan_result: z.string().nullish(),
  malware_access_override: z.boolean().nullish(),
});

const commentRow = z.object({
  id: z.number(),
  /** In a list, and in an export. */
  type: z.string().nullish(),
  event_type: z.string().nullish(),
  author_id: z.number().nullish(),
  html_body: z.string().nullish(),
  body: z.string().nullish(),
  plain_body: z.string().nullish(),
  public: z.boolean().nullish(),
  created_at: z.string().nullish(),
  attachments: z.array(attachmentRow).nullish(),
});

/** A change of a ticket; each comment is a part of one. */
const eventRow = z.object({
  ticket_id: z.number(),
  timestamp: z.number(),
  created_at: z.string(),
  child_events: z.array(commentRow),
});

export interface Said {
  readonly ticketId: number;
  readonly row: z.infer<typeof commentRow>;
  readonly at: string;
  /** In Unix seconds. */
  readonly second: number;
}

/** Zendesk finds a comment only by its ticket, and who wrote a file only by its comment. */
export const commentId = ({ ticketId, row }: Said) => `${ticketId}-${row.id}`;
export const attachmentId = (said: Said, { id }: { readonly id: number }) => `${commentId(said)}-${id}`;

const call = "VoiceComment";
const kindOf = ({ type, event_type: event, public: isPublic }: Said["row"]): Comment["kind"] => {
  if (type === call || event === call) return "call";
  return isPublic === true ? "reply" : "note";
};

const saidIn = ({ ticket_id: ticketId, timestamp, created_at, child_events }: z.infer<typeof eventRow>) =>
  child_events
    .filter(({ event_type: type }) => type === "Comment" || type === call)
    .map((row): Said => ({ ticketId, row, at: row.created_at ?? created_at, second: timestamp }));

/** The comments of one ticket; none if it is gone. */
export const saidOf = once(async (io: ZendeskIo, ticketId: number): Promise<readonly Said[]> => {
  const list = {
    path: `tickets/${ticketId}/comments`,
    name: "comments",
    row: commentRow,
    query: { include_inline_images: true },
  };
  const rows = await recover(askAll(io, list), hasStatus(404), () => []);
  return rows.map((row) => ({ ticketId, row, at: row.created_at ?? "", second: 0 }));
});

export const saidOfTickets = async (io: ZendeskIo, ids: readonly string[]): Promise<readonly Said[]> => {
  const tickets = new Set(ids.flatMap((id) => /^([1-9]\d{0,14})(?:-|$)/.exec(id)?.[1] ?? []));
  return (await Promise.all([...tickets].map((id) => saidOf(io, Number(id))))).flat();
};

export const filesOf = ({ row }: Said) => (row.attachments ?? []).filter(({ deleted }) => deleted !== true);

export const commentOf = async (said: Said, io: ZendeskIo): Promise<Comment> => {
  const { ticketId, row, at } = said;
  const images = new Map(filesOf(said).map((file) => [file.content_url, attachmentId(said, file)]));
  const recognise = (url: string) => {
    const id = images.get(url);
    return id === undefined ? targetOf(io.settings, url) : { stream: "attachments", id };
  };
  return helpdesk.comments.make({
    id: commentId(said),
    createdAt: momentOf(at),
    updatedAt: momentOf(at),
    ticketId: String(ticketId),
    visibility: row.public === true ? "public" : "internal",
    body: row.html_body
      ? richTextOf("html", unwrapped(row.html_body), recognise)
      : { format: "plain", text: row.body ?? "", references: [] },
    author: await whoOf(io, row.author_id),
    kind: kindOf(row),
  });
};

const toComment = async (said: Said, io: ZendeskIo): Promise<Comment | null> => {
  const [live, comment] = await Promise.all([isLive(io, said.ticketId), commentOf(said, io)]);
  return live ? comment : null;
};

export type FileRow = ReturnType<typeof filesOf>[number];

export const attachmentOf = async (said: Said, file: FileRow, io: ZendeskIo): Promise<Attachment> =>
  helpdesk.attachments.make({
    id: attachmentId(said, file),
    createdAt: momentOf(said.at),
    updatedAt: momentOf(said.at),
    parent: { stream: "comments", id: commentId(said) },
    fileName: file.file_name,
    contentType: file.content_type || "application/octet-stream",
    size: file.size ?? null,
    inline: file.inline === true,
    author: await whoOf(io, said.row.author_id),
  });

/** The page's records of tickets that are still there; all of them, if only those count that were copied. */
const unlessCopied =
  <T>(live: ReadPage<T, ZendeskSettings>, all: ReadPage<T, ZendeskSettings>): ReadPage<T, ZendeskSettings> =>
  (io, at) =>
    (at.copiedOnly ? all : live)(io, at);

const toAttachmentIds = async (said: Said, io: ZendeskIo): Promise<readonly string[]> => {
  const files = filesOf(said);
  if (files.length === 0 || !(await isLive(io, said.ticketId))) return [];
  return files.map((file) => attachmentId(said, file));
};

const attachmentsOf = (said: Said, io: ZendeskIo): Promise<readonly Attachment[]> =>
  Promise.all(filesOf(said).map((file) => attachmentOf(said, file, io)));

const toAttachments = async (said: Said, io: ZendeskIo): Promise<readonly Attachment[]> =>
  filesOf(said).length > 0 && (await isLive(io, said.ticketId)) ? attachmentsOf(said, io) : [];

const loadEvents = askSince<Said>(
  "ticket_events",
  (answer) => rowsIn(answer, "ticket_events", eventRow).flatMap(saidIn),
  { include: "comment_events" },
);

/** The last page is asked for again: it ends where the export was then. */
const askEvents = shareAnswer("ticket_events", {
  load: loadEvents,
  parts: {
    comments: (page: TimePage<Said>) => page,
    // Without texts, and without links that end.
    attachments: ({ rows, ...page }: TimePage<Said>): TimePage<Said> => ({
      ...page,
      rows: rows
        .filter((said) => filesOf(said).length > 0)
        .map((said) => ({
          ...said,
          row: {
            id: said.row.id,
            author_id: said.row.author_id,
            attachments: filesOf(said).map((file) => ({ ...file, content_url: "" })),
          },
        })),
    }),
  },
  mayKeep: ({ ended }) => !ended,
});

type ToIds = (said: Said, io: ZendeskIo) => Promise<readonly string[]>;

/**
 * Comments of all tickets come with the export of their events: a call for a thousand, in place of one for each ticket. Their ids
 * need no look at the people who wrote them.
 */
const ofEvents = (
  lagMs: number,
  stream: keyof typeof askEvents,
  toIds: ToIds,
): Pick<
  ListStream<Said, never, ZendeskSettings>,
  "delta" | "key" | "pages" | "readIds" | "cheaperByPages"
> => {
  const pages = exportByTime<Said>({ lagMs, ask: askEvents[stream], secondOf: ({ second }) => second });
  return {
    delta: true,
    key: commentId,
    pages,
    readIds: readPages(pages, { key: commentId, toRecord: toIds }),
    cheaperByPages: true,
  };
};

export const commentsSource = (lagMs: number): SourceStream<Comment, ZendeskSettings> => {
  const { pages, ...events } = ofEvents(lagMs, "comments", async (said, io) =>
    (await isLive(io, said.ticketId)) ? [commentId(said)] : [],
  );
  const base = listStream<Said, Comment, ZendeskSettings>({
    stream: helpdesk.comments,
    ...events,
    pages,
    toRecord: toComment,
    async byIds(io, ids) {
      return (await saidOfTickets(io, ids)).filter((said) => ids.includes(commentId(said)));
    },
    async readByParents(io, parents) {
      const said = await saidOfTickets(
        io,
        parents.filter(({ stream }) => stream === "tickets").map(({ id }) => id),
      );
      return (await Promise.all(said.map((each) => toComment(each, io)))).filter((record) => record !== null);
    },
  });
  const all = readPages(pages, { key: commentId, toRecord: commentOf });
  return { ...base, readPage: unlessCopied(base.readPage, all) };
};

const askFile = async (io: ZendeskIo, id: string) => {
  const url = api(`attachments/${id.split("-").at(-1)}`);
  const file = (await askOne(io, { url }, z.object({ attachment: attachmentRow })))?.attachment;
  if (!file || file.deleted === true) throw skipRecord("not_found", "Zendesk no longer has this file.", 404);
  if (file.malware_scan_result === "malware_found" && file.malware_access_override !== true)
    throw skipRecord("malware_found", "Zendesk found malware in this file and does not hand it out.");
  return file;
};

/** The link is asked for anew each time, since links end. */
const downloadFile = async (io: ZendeskIo, id: string) =>
  (await io.http.download({ url: (await askFile(io, id)).content_url })).body;

/** The same of a copy. */
export const openCopy = async (io: ZendeskIo, id: string): Promise<FileBody> => {
  const { file_name: name, content_type: type, size } = await askFile(io, id);
  const contentType = type || "application/octet-stream";
  return { name, contentType, size: size ?? null, open: () => downloadFile(io, id) };
};

export const attachmentsSource = (lagMs: number): SourceStream<Attachment, ZendeskSettings> => {
  const among = async (io: ZendeskIo, ids: readonly string[], idOf: (record: Attachment) => string) => {
    const said = await saidOfTickets(io, ids);
    const records = await Promise.all(said.map((each) => toAttachments(each, io)));
    return records.flat().filter((record) => ids.includes(idOf(record)));
  };
  const { pages, ...events } = ofEvents(lagMs, "attachments", toAttachmentIds);
  const base = listStream<Said, Attachment, ZendeskSettings>({
    stream: helpdesk.attachments,
    ...events,
    pages,
    toRecord: toAttachments,
    byIds: async () => [],
  });
  const all = readPages(pages, { key: commentId, toRecord: attachmentsOf });
  return {
    ...base,
    readPage: unlessCopied(base.readPage, all),
    readByIds: (io, ids) => among(io, ids, ({ id }) => id),
    readByParents: (io, parents) =>
      among(
        io,
        parents.filter(({ stream }) => stream === "comments").map(({ id }) => id),
        ({ parent }) => parent.id,
      ),
    openFile: async (io, { id, fileName, contentType, size }) => ({
      name: fileName,
      contentType,
      size,
      open: () => downloadFile(io, id),
    }),
  };
};
