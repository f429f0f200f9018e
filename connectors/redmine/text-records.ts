import { type FamilyRecord, helpdesk, projects, type RecordOf, withoutMarker } from "@portage/connector-kit";
import { projectOf } from "./catalog.ts";
import { bodyOf, placeOfIssue, type View } from "./issue-records.ts";
import { momentOf } from "./moments.ts";
import { attachmentId, commentId, helpdeskNames, type Names, pageId, projectNames } from "./names.ts";
import { whoOf } from "./people.ts";
import { readText } from "./read-text.ts";
import type { AttachmentRow, IssueRow, JournalRow, PageHeadRow, PageRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

export type TaskComment = RecordOf<typeof projects.comments>;
export type TicketComment = RecordOf<typeof helpdesk.comments>;
export type WikiPage = RecordOf<typeof projects.wikiPages>;
export type Article = RecordOf<typeof helpdesk.articles>;
export type Attachment = RecordOf<typeof projects.attachments>;

/** A journal is a comment if it has a text; a text of only our key does not count. */
export const isComment = ({ notes }: JournalRow): boolean =>
  (notes ?? "").trim() !== "" && !/^\s*\(portage:[a-z0-9:_-]+\)\s*$/.test(notes ?? "");

const commentFields = async (
  io: RedmineIo,
  issue: IssueRow,
  journal: JournalRow,
  names: Names,
  view: View,
) => ({
  id: commentId(issue.id, journal.id),
  createdAt: momentOf(journal.created_on),
  visibility: journal.private_notes ? ("internal" as const) : ("public" as const),
  body:
    bodyOf(io, journal.notes, view, placeOfIssue(issue, names)) ??
    readText(io, "", placeOfIssue(issue, names)),
  author: await whoOf(io, journal.user),
});

export const toTaskComment = async (
  io: RedmineIo,
  issue: IssueRow,
  journal: JournalRow,
  view: View = "original",
): Promise<TaskComment> =>
  projects.comments.make({
    ...(await commentFields(io, issue, journal, projectNames, view)),
    taskId: String(issue.id),
  });

export const toTicketComment = async (
  io: RedmineIo,
  issue: IssueRow,
  journal: JournalRow,
  view: View = "original",
): Promise<TicketComment> =>
  helpdesk.comments.make({
    ...(await commentFields(io, issue, journal, helpdeskNames, view)),
    ticketId: String(issue.id),
  });

/** URLs have underscores where headlines have spaces. */
export const headlineOf = (title: string): string => title.replaceAll("_", " ");

const pageFields = async (io: RedmineIo, projectId: string, row: PageRow, names: Names, view: View) => {
  const place = {
    names,
    stream: names.pages,
    id: pageId(projectId, row.title),
    projectId,
    attachments: row.attachments,
  };
  return {
    id: place.id,
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.updated_on),
    title: headlineOf(row.title),
    body: bodyOf(io, row.text, view, place) ?? readText(io, "", place),
    author: await whoOf(io, row.author),
  };
};

export const toWikiPage = async (
  io: RedmineIo,
  projectId: string,
  row: PageRow,
  view: View = "original",
): Promise<WikiPage> =>
  projects.wikiPages.make({
    ...(await pageFields(io, projectId, row, projectNames, view)),
    projectId,
    parentPageId: row.parent ? pageId(projectId, row.parent.title) : null,
  });

/**
 * The project and the pages above it are the article's categories. A private project's pages are for its members, which no article can
 * say; a copy's state is not that of its project.
 */
export const toArticle = async (
  io: RedmineIo,
  projectId: string,
  row: PageRow,
  heads: readonly PageHeadRow[],
  view: View = "original",
): Promise<Article> => {
  const above: string[] = [];
  for (let title = row.parent?.title; title && above.length < 50; ) {
    above.unshift(headlineOf(title));
    const here: string = title;
    title = heads.find((head) => head.title === here)?.parent?.title;
  }
  const project = await projectOf(io, projectId);
  return helpdesk.articles.make({
    ...(await pageFields(io, projectId, row, helpdeskNames, view)),
    path: [project?.name ?? projectId, ...above],
    state: view === "original" && project?.is_public === false ? "draft" : "published",
  });
};

export interface Holder {
  readonly stream: string;
  readonly id: string;
  /** The texts that can show the record's files. */
  readonly texts: readonly string[];
}

const isShown = (texts: readonly string[], name: string) =>
  texts.some((text) => text.includes(`!${name}`) || text.includes(`](${name})`) || text.includes(`(${name}`));

export const toAttachment = async <T extends FamilyRecord>(
  io: RedmineIo,
  stream: { make(known: never): T },
  row: AttachmentRow,
  holder: Holder,
  view: View = "original",
): Promise<T> =>
  stream.make({
    id: attachmentId(holder.stream, holder.id, row.id),
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.created_on),
    parent: { stream: holder.stream, id: holder.id },
    fileName: row.filename,
    contentType: row.content_type || "application/octet-stream",
    size: row.filesize,
    inline: isShown(holder.texts, row.filename),
    description: view === "copy" ? withoutMarker(row.description) : row.description || null,
    author: await whoOf(io, row.author),
  } as never);
