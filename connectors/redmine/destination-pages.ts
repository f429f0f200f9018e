import { createHash } from "node:crypto";
import {
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  keyAtEnd,
  type Holds,
  matchesChecksum,
  markerOf,
  mayDiffer,
  notHeld,
  projects,
  recordStream,
  rejected,
  type RichText,
  checksumOf,
  truncate,
  type Who,
  type Write,
} from "@portage/connector-kit";
import { authorOf, isOwn, loginFor } from "./act-as.ts";
import { urlOf } from "./addresses.ts";
import { asUser, send } from "./ask.ts";
import { projectOf } from "./catalog.ts";
import { everyCopy, stillThere } from "./copies.ts";
import { defaultProject } from "./default-project.ts";
import type { View } from "./issue-records.ts";
import { accountNames, inLastLine, otherText, ownTimes } from "./losses.ts";
import { pageId, pageUrl, parsePageId } from "./names.ts";
import { keyInLine, withLine } from "./origin.ts";
import { findWhereShown } from "./project-lists.ts";
import { titleize } from "./read-text.ts";
import type { PageRow } from "./rows.ts";
import { searchKey } from "./search.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { articleOf, askPage, idOfPage, type Page, pageHeads, pagesById } from "./source-pages.ts";
import { type Article, toWikiPage, type WikiPage } from "./text-records.ts";
import { writeText } from "./write-text.ts";

interface Text extends FamilyRecord {
  readonly title: string;
  readonly body: RichText;
  readonly author: Who | null;
}

interface Described<T extends Text> {
  readonly stream: FamilyStream<T>;
  readonly holds: Holds;
  projectFor(io: RedmineIo, record: T): Promise<string>;
  parentOf(record: T): string | null;
  also(record: T): Readonly<Record<string, string | null>>;
  /** Whether the page is only for some people, while all of a public project's are for everyone. */
  isRestricted(record: T): boolean;
  toRecord(io: RedmineIo, page: Page, view: View): Promise<T>;
}

const maxTitle = 200;

const notPrivate = rejected(
  "not_private",
  "Not everyone may see it, and Redmine shows the pages of this public project to everyone. Choose a private project for it.",
);

/** From a page's URL to its id: the search returns only the URL. */
const placeIn = async (io: RedmineIo, url: string): Promise<string | null> => {
  const found = /\/projects\/([^/]+)\/wiki\/([^/?#]+)/.exec(url);
  if (!found) return null;
  const project = await projectOf(io, decodeURIComponent(found[1] ?? ""));
  return project ? pageId(project.id, decodeURIComponent(found[2] ?? "")) : null;
};

const withKey = async (io: RedmineIo, [key = ""]: readonly string[]): Promise<readonly Page[]> => {
  const hits = await searchKey(io, "wiki_pages", key);
  const ids = await Promise.all(hits.map(({ url }) => placeIn(io, url)));
  return pagesById(
    io,
    [...new Set(ids)].filter((id) => id !== null),
  );
};

const pages = <T extends Text>({
  stream,
  holds,
  projectFor,
  parentOf,
  also,
  isRestricted,
  toRecord,
}: Described<T>) => {
  const wouldShow = async (io: RedmineIo, record: T, projectId: string) =>
    isRestricted(record) && (await projectOf(io, projectId))?.is_public !== false;
  const put = async (
    io: RedmineIo,
    { key, record }: Write<T>,
    { projectId, title }: { readonly projectId: string; readonly title: string },
    login: string | null,
    before: PageRow | null,
  ) => {
    const isAuthor = before === null && (await isOwn(io, record.author, login));
    const origin = { ...record, author: isAuthor ? null : record.author, also: also(record) };
    const body = await writeText(io, record.body);
    const above = parsePageId(parentOf(record) ?? "");
    const parent = above?.projectId === projectId ? { title: above.title } : before?.parent;
    const text = await withLine(io, body, origin, key, checksumOf(key, body, null));
    const wiki_page = {
      text,
      comments: `(${markerOf(key)})`,
      ...(parent ? { parent_title: parent.title } : {}),
    };
    const url = `${pageUrl(projectId, title)}.json`;
    await send(io, { url, method: "PUT", json: { wiki_page }, ...asUser(login) });
    const page = await stillThere(askPage(io, projectId, title));
    const { parent: _, ...others } = page.row;
    const author = await authorOf(io, record.author, login);
    const sent = { ...others, title, text, author, ...(parent ? { parent } : {}) };
    return { row: page, sent: { projectId, row: sent } };
  };
  const copies = recordStream<T, Page, Settings>({
    stream,
    batchSize: 10,
    guarantees: ["silent", "keeps-author"],
    holds: {
      ...ownTimes(inLastLine),
      ...accountNames("author"),
      tags: notHeld("Redmine's pages have no tags; the last line of the text names them."),
      title: mayDiffer(
        "Redmine builds the page's address from it: no , . / ? ; | : and unique in a project.",
      ),
      body: otherText,
      author: mayDiffer("The person has no account that can write pages there; the last line names them."),
      customFields: mayDiffer(
        "Redmine's pages have no custom fields; the last line of the text holds the value.",
      ),
      ...holds,
    },
    key: { kind: "field", of: ({ row }, io) => keyInLine(io, row.text), atMost: 1, find: withKey },
    ...everyCopy,
    id: idOfPage,
    byIds: pagesById,
    toRecord: (page, io) => toRecord(io, page, "copy"),
    // Written one after the other, since each write checks which titles are free.
    async create(io, write) {
      const { key, record } = write;
      const projectId = await projectFor(io, record);
      if (await wouldShow(io, record, projectId)) return notPrivate;
      const wanted = truncate(titleize(record.title), maxTitle) || "Page";
      // Writing under an existing title would change another page.
      const taken = (await pageHeads(io, projectId)).some(
        ({ title }) => title.toLowerCase() === wanted.toLowerCase(),
      );
      const end = createHash("sha256").update(key).digest("hex").slice(0, 8);
      const login = await loginFor(io, record.author, projectId, ["edit_wiki_pages"]);
      return put(io, write, { projectId, title: taken ? `${wanted}_${end}` : wanted }, login, null);
    },
    async change(io, write, { projectId, row }) {
      if (await wouldShow(io, write.record, projectId)) return notPrivate;
      return put(io, write, { projectId, title: row.title }, null, row);
    },
    isUntouched: ({ row }, io) => matchesChecksum(row.text, io.settings.textFormat, null),
    keysOn: async (_, { row }) => row.attachments.map(({ description }) => keyAtEnd(description)),
    // Redmine moves the subpages up one level.
    async remove(io, { projectId, row }) {
      await send(io, { url: `${pageUrl(projectId, row.title)}.json`, method: "DELETE", accept: [404] });
    },
    undoNote: "A page stays if a file on it is not from an import.",
    urlOf: urlOf(stream),
  });
  return { ...copies, find: findWhereShown("wiki", copies.find) };
};

export const wikiPageCopies = pages<WikiPage>({
  stream: projects.wikiPages,
  holds: { parentPageId: mayDiffer("A page's parent must be in the same project.") },
  projectFor: async (_io, { projectId }) => projectId,
  parentOf: ({ parentPageId }) => parentPageId,
  also: () => ({}),
  isRestricted: () => false,
  toRecord: (io, { projectId, row }, view) => toWikiPage(io, projectId, row, view),
});

export const articleCopies = pages<Article>({
  stream: helpdesk.articles,
  holds: {
    path: mayDiffer("All articles are pages of one project; the last line of the text names the categories."),
    state: mayDiffer("Everyone who sees the project sees its pages; the last line names the state."),
    locale: mayDiffer("Redmine's pages have no language; the last line of the text names it."),
    position: mayDiffer("Redmine sorts pages by title."),
  },
  projectFor: (io) => defaultProject(io),
  parentOf: () => null,
  also: ({ path, state, locale }) => ({
    Category: path.join(" / ") || null,
    State: state === "published" ? null : state,
    Language: locale,
  }),
  isRestricted: ({ state }) => state !== "published",
  toRecord: articleOf,
});
