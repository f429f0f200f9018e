import {
  askOne,
  type FileBody,
  helpdesk,
  listStream,
  type ListStream,
  type ReadPage,
  readPages,
  type RecordOf,
  type SourceStream,
  skipRecord,
} from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { z } from "zod";
import { targetOf } from "./addresses.ts";
import { api, momentOf } from "./ask.ts";
import { askEvents, type CommentEvent, eventKey, isChange } from "./comment-events.ts";
import { exportByTime } from "./export.ts";
import { whoOf } from "./people-source.ts";
import {
  askSaid,
  attachmentId,
  attachmentRow,
  call,
  commentId,
  type FileRow,
  filesOf,
  type Said,
  saidOfTickets,
} from "./said.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import { unwrapped } from "./texts.ts";
import { isLive } from "./tickets-source.ts";

export type Comment = RecordOf<typeof helpdesk.comments>;
export type Attachment = RecordOf<typeof helpdesk.attachments>;

const kindOf = ({ type, event_type: event, public: isPublic }: Said["row"]): Comment["kind"] => {
  if (type === call || event === call) return "call";
  return isPublic === true ? "reply" : "note";
};

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

type Of<T> = (said: Said, io: ZendeskIo) => T | Promise<T>;

/** Of a comment's own event; none of a change, which tells of nothing new. */
const unlessChange =
  <T>(of: Of<readonly T[] | T>) =>
  (event: CommentEvent, io: ZendeskIo): readonly T[] | T | Promise<readonly T[] | T> =>
    isChange(event) ? [] : of(event, io);

/** Of a comment's own event; after a change, of all comments of the ticket as they are now. */
const orAsNow =
  <T>(of: Of<readonly T[] | T | null>) =>
  async (event: CommentEvent, io: ZendeskIo): Promise<readonly T[]> => {
    const said = isChange(event) ? await askSaid(io, event.ticketId) : [event];
    const made = await Promise.all(said.map(async (each) => of(each, io)));
    return made.flat().filter((each) => each !== null) as readonly T[];
  };

/**
 * Comments of all tickets come with the export of their events: a call for a thousand, in place of one for each ticket. Their ids
 * need no look at the people who wrote them.
 */
const ofEvents = (
  lagMs: number,
  stream: keyof typeof askEvents,
  toIds: Of<readonly string[]>,
): Pick<
  ListStream<CommentEvent, never, ZendeskSettings>,
  "delta" | "key" | "pages" | "readIds" | "cheaperByPages"
> => {
  const pages = exportByTime<CommentEvent>({
    lagMs,
    ask: askEvents[stream],
    secondOf: ({ second }) => second,
  });
  return {
    delta: true,
    key: eventKey,
    pages,
    readIds: readPages(pages, { key: eventKey, toRecord: unlessChange(toIds) }),
    cheaperByPages: true,
  };
};

export const commentsSource = (lagMs: number): SourceStream<Comment, ZendeskSettings> => {
  const { pages, ...events } = ofEvents(lagMs, "comments", async (said, io) =>
    (await isLive(io, said.ticketId)) ? [commentId(said)] : [],
  );
  const base = listStream<CommentEvent, Comment, ZendeskSettings>({
    stream: helpdesk.comments,
    ...events,
    pages,
    toRecord: orAsNow(toComment),
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
  const all = readPages(pages, { key: eventKey, toRecord: unlessChange(commentOf) });
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
  const base = listStream<CommentEvent, Attachment, ZendeskSettings>({
    stream: helpdesk.attachments,
    ...events,
    pages,
    toRecord: orAsNow(toAttachments),
    byIds: async () => [],
  });
  const all = readPages(pages, { key: eventKey, toRecord: unlessChange(attachmentsOf) });
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
