import { helpdesk, type RecordOf, type SourceStream } from "@portage/connector-kit";
import { getTickets } from "./ask.ts";
import { createdAt, isSince, ticketIds } from "./comments.ts";
import { downloadFile } from "./download.ts";
import { authorOf } from "./people.ts";
import type { ArticleRow, FileRow, TicketRow } from "./rows.ts";
import type { ZnunyIo, ZnunySettings } from "./settings.ts";
import { articleId, fileId, filesOf } from "./texts.ts";
import { descriptionOf } from "./tickets.ts";
import { saidSince, walkTickets } from "./walk.ts";

type Attachment = RecordOf<typeof helpdesk.attachments>;

const parts = { articles: "all", files: "listed" } as const;

const parentOf = (ticket: TicketRow, article: ArticleRow) =>
  article === descriptionOf(ticket)
    ? { stream: "tickets", id: String(ticket.TicketID) }
    : { stream: "comments", id: articleId(ticket, article) };

const toAttachment = async (
  io: ZnunyIo,
  ticket: TicketRow,
  article: ArticleRow,
  file: FileRow,
): Promise<Attachment> =>
  helpdesk.attachments.make({
    id: fileId(ticket, article, file),
    createdAt: createdAt(io, article),
    updatedAt: createdAt(io, article),
    parent: parentOf(ticket, article),
    fileName: file.Filename,
    contentType: file.ContentType?.split(";")[0]?.trim() || "application/octet-stream",
    size: file.FilesizeRaw,
    inline: file.ContentID !== null && file.Disposition === "inline",
    author: await authorOf(io, ticket, article),
  });

const toAttachments = async (io: ZnunyIo, tickets: readonly TicketRow[]): Promise<readonly Attachment[]> =>
  Promise.all(
    tickets.flatMap((ticket) =>
      ticket.Article.flatMap((article) =>
        filesOf(article).map((file) => toAttachment(io, ticket, article, file)),
      ),
    ),
  );

export const attachmentsSource: SourceStream<Attachment, ZnunySettings> = {
  stream: helpdesk.attachments,
  delta: true,
  async readPage(io, at) {
    const { rows, next } = await walkTickets(io, at, 40, parts, saidSince);
    const files = await toAttachments(io, rows);
    return { records: files.filter((file) => isSince(at.since, file.createdAt)), next };
  },
  async readByIds(io, ids) {
    const files = await toAttachments(io, await getTickets(io, ticketIds(ids), parts));
    return files.filter(({ id }) => ids.includes(id));
  },
  async readByParents(io, parents) {
    const wanted = new Set(parents.map(({ stream, id }) => `${stream}/${id}`));
    const files = await toAttachments(
      io,
      await getTickets(io, ticketIds(parents.map(({ id }) => id)), parts),
    );
    return files.filter(({ parent }) => wanted.has(`${parent.stream}/${parent.id}`));
  },
  openFile: async (io, { id, fileName, contentType, size }) => ({
    name: fileName,
    contentType,
    size,
    open: () => {
      const [ticket = "", article = "", file = ""] = id.split(".");
      return downloadFile(io, ticket, article, file);
    },
  }),
};
