import {
  eachById,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  listStream,
  projects,
  type SourceStream,
  toPage,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { askList, askOne } from "./ask.ts";
import type { View } from "./issue-records.ts";
import { pageId, pageUrl, parsePageId } from "./names.ts";
import { listOfModule } from "./project-lists.ts";
import { pageHeadRow, type PageHeadRow, pageRow, type PageRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { type Article, toArticle, toWikiPage } from "./text-records.ts";
import { signedIn } from "./walks.ts";

/** Redmine returns all pages at once, without their texts; a project without a wiki has none. */
export const pageHeads = async (io: RedmineIo, projectId: string): Promise<readonly PageHeadRow[]> =>
  listOfModule(io, projectId, "wiki", async () => {
    const url = `projects/${projectId}/wiki/index.json`;
    return (await askList(io, url, "wiki_pages", pageHeadRow)).rows;
  });

/** A page, and the project that it belongs to: its row does not name it. */
export interface Page {
  readonly projectId: string;
  readonly row: PageRow;
}

export const idOfPage = ({ projectId, row }: Page): string => pageId(projectId, row.title);

/** A renamed page also answers under its old title: this treats that answer as no page. */
export const askPage = async (io: RedmineIo, projectId: string, title: string): Promise<Page | null> => {
  const url = `${pageUrl(projectId, title)}.json`;
  const row = await askOne(io, url, "wiki_page", pageRow, { include: "attachments" });
  return row?.title === title ? { projectId, row } : null;
};

export const pagesById = eachById((io: RedmineIo, id: string) => {
  const place = parsePageId(id);
  return place ? askPage(io, place.projectId, place.title) : Promise.resolve(null);
});

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const pages = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  perParent: string,
  toRecord: (io: RedmineIo, page: Page) => Promise<T>,
): SourceStream<T, Settings> =>
  signedIn(
    listStream<Page, T, Settings>({
      stream,
      perParent,
      delta: true,
      key: ({ row }) => row.title,
      // Ordered by title, which only a rename changes.
      pages: (rows) => async (io, at) => {
        const { cursor, since, parentId } = at;
        const projectId = parentId ?? "";
        const after = String(cursor?.after ?? "");
        const left = (await pageHeads(io, projectId))
          .filter(({ title }) => compare(title, after) > 0)
          .filter(
            ({ updated_on }) => !since || !updated_on || Date.parse(updated_on) >= since.getTime() - 999,
          )
          .toSorted((a, b) => compare(a.title, b.title));
        const now = left.slice(0, 25);
        const found = await Promise.all(now.map(({ title }) => askPage(io, projectId, title)));
        const last = now.at(-1);
        const next = last && left.length > now.length ? { after: last.title } : null;
        return toPage(
          rows,
          io,
          found.filter((page) => page !== null),
          next,
        );
      },
      toRecord: (page, io) => toRecord(io, page),
      byIds: pagesById,
      urlOf: urlOf(stream),
    }),
  );

export const wikiPages = pages(projects.wikiPages, "projects", (io, { projectId, row }) =>
  toWikiPage(io, projectId, row),
);

/** An article's categories are the pages above it. */
export const articleOf = async (io: RedmineIo, { projectId, row }: Page, view?: View): Promise<Article> =>
  toArticle(io, projectId, row, await pageHeads(io, projectId), view);

export const articles = pages(helpdesk.articles, "groups", (io, page) => articleOf(io, page));
