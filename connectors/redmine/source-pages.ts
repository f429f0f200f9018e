import { type FamilyRecord, helpdesk, projects, type SourceStream } from "@portage/connector-kit";
import { askList, askOne } from "./ask.ts";
import { pageUrl, parsePageId } from "./names.ts";
import { listOfModule } from "./project-lists.ts";
import { type PageHeadRow, pageHeadRow, type PageRow, pageRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { toArticle, toWikiPage } from "./text-records.ts";
import { known } from "./walks.ts";

/** Redmine returns all pages at once, without their texts; a project without a wiki has none. */
export const pageHeads = async (io: RedmineIo, projectId: string): Promise<readonly PageHeadRow[]> =>
  listOfModule(io, projectId, "wiki", async () => {
    const url = `projects/${projectId}/wiki/index.json`;
    return (await askList(io, url, "wiki_pages", pageHeadRow)).rows;
  });

/** A renamed page also answers under its old title: this treats that answer as no page. */
export const askPage = async (io: RedmineIo, projectId: string, title: string): Promise<PageRow | null> => {
  const page = await askOne(io, `${pageUrl(projectId, title)}.json`, "wiki_page", pageRow, {
    include: "attachments",
  });
  return page?.title === title ? page : null;
};

const pageSize = 25;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const pages = <T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  perParent: string,
  toRecord: (io: RedmineIo, projectId: string, row: PageRow, heads: readonly PageHeadRow[]) => Promise<T>,
): SourceStream<T, Settings> => ({
  stream,
  perParent,
  delta: true,
  // Ordered by title, which only a rename changes.
  readPage: known(async (io, { cursor, since, parentId }) => {
    const projectId = parentId ?? "";
    const after = String(cursor?.after ?? "");
    const heads = await pageHeads(io, projectId);
    const left = heads
      .filter(({ title }) => compare(title, after) > 0)
      .filter(({ updated_on }) => !since || !updated_on || Date.parse(updated_on) >= since.getTime() - 999)
      .toSorted((a, b) => compare(a.title, b.title));
    const now = left.slice(0, pageSize);
    const rows = await Promise.all(now.map(({ title }) => askPage(io, projectId, title)));
    const records = await Promise.all(
      rows.filter((row) => row !== null).map((row) => toRecord(io, projectId, row, heads)),
    );
    const last = now.at(-1);
    return { records, next: last && left.length > now.length ? { after: last.title } : null };
  }),
  async readByIds(io, ids) {
    const found = await Promise.all(
      ids.map(async (id) => {
        const place = parsePageId(id);
        const row = place ? await askPage(io, place.projectId, place.title) : null;
        if (!place || !row) return [];
        return [await toRecord(io, place.projectId, row, await pageHeads(io, place.projectId))];
      }),
    );
    return found.flat();
  },
  urlOf: ({ instanceUrl }, { id }) => {
    const place = parsePageId(id);
    return `${instanceUrl.replace(/\/+$/, "")}/${place ? pageUrl(place.projectId, place.title) : ""}`;
  },
});

export const wikiPages = pages(projects.wikiPages, "projects", (io, projectId, row) =>
  toWikiPage(io, projectId, row),
);
export const articles = pages(helpdesk.articles, "groups", (io, projectId, row, heads) =>
  toArticle(io, projectId, row, heads),
);
