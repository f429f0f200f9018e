import type { RichText, TextReference } from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { downloadText } from "./download.ts";
import { getTickets, type Parts } from "./ask.ts";
import { recordAt } from "./record-at.ts";
import type { ArticleRow, FileRow, TicketRow } from "./rows.ts";
import type { ZnunyIo } from "./settings.ts";

/** Znuny keeps the HTML form of an article's text among its files, under a name that it gives. */
const isHtmlForm = ({ Filename, ContentType, Disposition }: FileRow) =>
  /^file-(?:[12]|1\.html)$/.test(Filename) &&
  /text\/html/i.test(ContentType ?? "") &&
  Disposition === "inline";

export const filesOf = ({ Attachment }: ArticleRow): readonly FileRow[] =>
  Attachment.filter((file) => !isHtmlForm(file));

const htmlFormOf = ({ Attachment }: ArticleRow): FileRow | undefined => Attachment.find(isHtmlForm);

export const articleId = ({ TicketID }: TicketRow, { ArticleID }: ArticleRow) => `${TicketID}.${ArticleID}`;

export const fileId = (ticket: TicketRow, article: ArticleRow, { FileID }: FileRow) =>
  `${articleId(ticket, article)}.${FileID}`;

/** Files of one answer, in bytes: they come as base64 inside of JSON. */
const maxBytes = 4 * 1024 * 1024;

const sizeOf = ({ Article }: TicketRow) =>
  Article.flatMap(({ Attachment }) => Attachment).reduce((sum, { FilesizeRaw }) => sum + FilesizeRaw, 0);

/** Tickets in groups whose files fit into one answer, and those that alone do not. */
const grouped = (tickets: readonly TicketRow[]) => {
  const groups: number[][] = [];
  const large = tickets.filter((ticket) => sizeOf(ticket) > maxBytes);
  let room = 0;
  for (const ticket of tickets.filter((each) => !large.includes(each))) {
    if (sizeOf(ticket) > room) {
      groups.push([]);
      room = maxBytes;
    }
    groups.at(-1)?.push(ticket.TicketID);
    room -= sizeOf(ticket);
  }
  return { groups, large };
};

export type HtmlForms = ReadonlyMap<string, string>;

/**
 * The HTML form of each article that has one. Znuny gives it only together with the contents of all files of the ticket,
 * so a ticket with large files has its forms read one by one.
 */
export const readHtmlForms = async (
  io: ZnunyIo,
  tickets: readonly TicketRow[],
  articles: NonNullable<Parts["articles"]>,
): Promise<HtmlForms> => {
  const forms = new Map<string, string>();
  const { groups, large } = grouped(tickets.filter(({ Article }) => Article.some(htmlFormOf)));
  for (const ids of groups)
    for (const ticket of await getTickets(io, ids, { articles, files: "with contents" }))
      for (const article of ticket.Article) {
        const content = htmlFormOf(article)?.Content;
        if (content) forms.set(articleId(ticket, article), Buffer.from(content, "base64").toString("utf8"));
      }
  for (const ticket of large)
    for (const article of ticket.Article) {
      const form = htmlFormOf(article);
      if (form)
        forms.set(
          articleId(ticket, article),
          await downloadText(io, ticket.TicketID, article.ArticleID, form.FileID),
        );
    }
  return forms;
};

const bare = (contentId: string | null) => (contentId ?? "").trim().replace(/^<|>$/g, "");

/** An article's text with its images and links; those to records of this instance carry the record's id. */
export const textOf = (io: ZnunyIo, ticket: TicketRow, article: ArticleRow, forms: HtmlForms): RichText => {
  const recognise = (url: string): TextReference["to"] => {
    if (!/^cid:/i.test(url)) return recordAt(io.settings, url, "helpdesk");
    const file = filesOf(article).find(
      ({ ContentID }) => bare(ContentID) === decodeURIComponent(url.slice(4)),
    );
    return file ? { stream: "attachments", id: fileId(ticket, article, file) } : null;
  };
  const html = forms.get(articleId(ticket, article));
  return html === undefined
    ? richTextOf("plain", article.Body ?? "", recognise)
    : richTextOf("html", html, recognise);
};
