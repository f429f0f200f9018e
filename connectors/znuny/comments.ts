import { helpdesk, type RecordOf, type SourceStream } from "@portage/connector-kit";
import { getTickets } from "./ask.ts";
import { fromLocal } from "./moments.ts";
import { addressesIn, authorOf, isByAgent, isByCustomer } from "./people.ts";
import { articleUrl } from "./record-at.ts";
import type { ArticleRow, TicketRow } from "./rows.ts";
import type { ZnunyIo, ZnunySettings } from "./settings.ts";
import { articleId, readHtmlForms, textOf } from "./texts.ts";
import { channelOf, descriptionOf, fieldValues, numericIds } from "./tickets.ts";
import { saidSince, walkTickets } from "./walk.ts";

type Comment = RecordOf<typeof helpdesk.comments>;

const parts = { fields: true, articles: "all", files: "listed" } as const;

export const createdAt = ({ settings }: ZnunyIo, { CreateTime }: ArticleRow) =>
  fromLocal(CreateTime, settings.timeZone);

/** An article never changes, but Znuny searches tickets only. */
export const isSince = (since: Date | null, moment: string | null): boolean =>
  since === null || moment === null || Date.parse(moment) >= since.getTime() - 999;

/** A subject that only repeats the ticket's says nothing. */
const subjectField = ({ Title }: TicketRow, { Subject }: ArticleRow) =>
  Subject !== null && Subject !== Title ? { Subject } : {};

const kindOf = (article: ArticleRow): Comment["kind"] => {
  const channel = channelOf(article);
  if (channel === "phone") return "call";
  if (channel === "chat") return "chat";
  return article.IsVisibleForCustomer ? "reply" : "note";
};

const toComments = async (io: ZnunyIo, tickets: readonly TicketRow[]): Promise<readonly Comment[]> => {
  const forms = await readHtmlForms(io, tickets, "all");
  const made = tickets.map((ticket) => {
    const description = descriptionOf(ticket);
    const said = ticket.Article.filter((article) => article !== description);
    return Promise.all(
      said.map(async (article) =>
        helpdesk.comments.make({
          id: articleId(ticket, article),
          createdAt: createdAt(io, article),
          updatedAt: createdAt(io, article),
          customFields: { ...fieldValues(article.DynamicField), ...subjectField(ticket, article) },
          ticketId: String(ticket.TicketID),
          visibility: article.IsVisibleForCustomer ? "public" : "internal",
          body: textOf(io, ticket, article, forms),
          author: await authorOf(io, ticket, article),
          kind: kindOf(article),
          incoming: isByCustomer(article) ? true : isByAgent(article) ? false : null,
          to: addressesIn(article.To),
          cc: addressesIn(article.Cc),
          channel: channelOf(article),
        }),
      ),
    );
  });
  return (await Promise.all(made)).flat();
};

/** The ticket in the id of an article or of a file. */
export const ticketIds = (ids: readonly string[]) => numericIds(ids.map((id) => id.split(".")[0] ?? ""));

/** Read by tickets: a page needs a few calls, however many articles its tickets have. */
export const commentsSource: SourceStream<Comment, ZnunySettings> = {
  stream: helpdesk.comments,
  delta: true,
  async readPage(io, at) {
    const { rows, next } = await walkTickets(io, at, 25, parts, saidSince);
    const comments = await toComments(io, rows);
    return { records: comments.filter((comment) => isSince(at.since, comment.createdAt)), next };
  },
  async readByIds(io, ids) {
    const comments = await toComments(io, await getTickets(io, ticketIds(ids), parts));
    return comments.filter(({ id }) => ids.includes(id));
  },
  async readByParents(io, parents) {
    return toComments(io, await getTickets(io, numericIds(parents.map(({ id }) => id)), parts));
  },
  urlOf: (settings, { id }) => articleUrl(settings, id),
};
