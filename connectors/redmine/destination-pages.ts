import { createHash } from "node:crypto";
import {
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  projects,
  type Reasons,
  type RichText,
  type Who,
} from "@portage/connector-kit";
import { authorOf, isOwn, loginFor } from "./act-as.ts";
import { asUser, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { defaultProject } from "./default-project.ts";
import type { View } from "./issue-records.ts";
import { accountNames, cleared, ownTimes } from "./losses.ts";
import { pageId, pageUrl, parsePageId } from "./names.ts";
import { findWhereShown } from "./project-lists.ts";
import { markerOf, originLine, splitOrigin, withOrigin } from "./provenance.ts";
import { titleize } from "./read-text.ts";
import type { PageRow } from "./rows.ts";
import { searchKey } from "./search.ts";
import { isSealed, sealOf } from "./seal.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { askPage, pageHeads } from "./source-pages.ts";
import { type Article, toArticle, toWikiPage, type WikiPage } from "./text-records.ts";
import { gone, otherKey, removeEach, writeEach, type Writer } from "./write-each.ts";
import { writeLine, writeText } from "./write-text.ts";

interface Text extends FamilyRecord {
  readonly title: string;
  readonly body: RichText;
  readonly author: Who | null;
}

interface Described<T extends Text> {
  readonly stream: DestinationStream<T>["stream"];
  readonly reasons: Reasons;
  projectOf(io: RedmineIo, record: T): Promise<string>;
  parentOf(record: T): string | null;
  also(record: T): Readonly<Record<string, string | null>>;
  toRecord(io: RedmineIo, projectId: string, row: PageRow, view: View): Promise<T>;
}

const maxTitle = 200;

const lost = () =>
  new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The page is gone." });

/** From a page's URL to its id: the search returns only the URL. */
const placeIn = async (io: RedmineIo, url: string): Promise<string | null> => {
  const found = /\/projects\/([^/]+)\/wiki\/([^/?#]+)/.exec(url);
  if (!found) return null;
  const project = await catalogOf(io).project(decodeURIComponent(found[1] ?? ""));
  return project ? pageId(project.id, decodeURIComponent(found[2] ?? "")) : null;
};

const askById = async (io: RedmineIo, id: string): Promise<PageRow | null> => {
  const place = parsePageId(id);
  return place ? askPage(io, place.projectId, place.title) : null;
};

const find: Writer<FamilyRecord>["find"] = async (io, asked) => {
  await catalogOf(io).account();
  const found = new Map<string, readonly string[]>();
  for (const { key } of asked) {
    const hits = await searchKey(io, "wiki_pages", key);
    const ids = await Promise.all(hits.map(({ url }) => placeIn(io, url)));
    const own: string[] = [];
    for (const id of new Set(ids))
      if (id !== null && splitOrigin((await askById(io, id))?.text)?.key === key) own.push(id);
    found.set(key, own);
  }
  return found;
};

const pages = <T extends Text>(described: Described<T>): DestinationStream<T, Settings> => {
  const { stream, toRecord } = described;
  const put = async (
    io: RedmineIo,
    key: string,
    record: T,
    projectId: string,
    title: string,
    login: string | null,
    own: boolean,
    before: PageRow | null,
  ) => {
    const line = originLine({
      record: { ...record, author: own ? null : record.author },
      also: described.also(record),
      keptFields: new Set(),
    });
    const text = await writeText(io, record.body);
    const above = parsePageId(described.parentOf(record) ?? "");
    const parent = above?.projectId === projectId ? { title: above.title } : before?.parent;
    const whole = withOrigin(text, await writeLine(io, line), key, sealOf(key, text, null));
    await send(io, {
      url: `${pageUrl(projectId, title)}.json`,
      method: "PUT",
      json: {
        wiki_page: {
          text: whole,
          comments: markerOf(key),
          ...(parent ? { parent_title: parent.title } : {}),
        },
      },
      ...asUser(login),
    });
    const row = await askPage(io, projectId, title);
    if (!row) throw lost();
    const author = await authorOf(io, record.author, login);
    const { parent: _, ...others } = row;
    const sent = { ...others, title, text: whole, author, ...(parent ? { parent } : {}) };
    return {
      id: pageId(projectId, row.title),
      record: await toRecord(io, projectId, row, "copy"),
      sent: await toRecord(io, projectId, sent, "copy"),
    };
  };
  const writer: Writer<T> = {
    stream,
    reasons: described.reasons,
    find,
    async create(io, { key, record }) {
      const projectId = await described.projectOf(io, record);
      const wanted =
        titleize(record.title)
          .slice(0, maxTitle)
          .replace(/[\ud800-\udbff]$/, "") || "Page";
      // Writing under an existing title would change another page.
      const taken = (await pageHeads(io, projectId)).some(
        ({ title }) => title.toLowerCase() === wanted.toLowerCase(),
      );
      const end = createHash("sha256").update(key).digest("hex").slice(0, 8);
      const login = await loginFor(io, record.author, projectId, ["edit_wiki_pages"]);
      const own = await isOwn(io, record.author, login);
      return put(io, key, record, projectId, taken ? `${wanted}_${end}` : wanted, login, own, null);
    },
    async change(io, { key, record }, id) {
      const place = parsePageId(id);
      const before = place && (await askPage(io, place.projectId, place.title));
      if (!place || !before) throw lost();
      return put(io, key, record, place.projectId, place.title, null, false, before);
    },
    // Sequentially, since each write checks which titles are free.
    lane: () => "",
  };
  return {
    stream,
    batchSize: 10,
    idempotency: "lookup",
    guarantees: ["silent", "keeps-author"],
    drops: [
      ...ownTimes("; the last line of the text names the original ones"),
      ...accountNames(["author"]),
      cleared("tags", "Redmine's pages have no tags; the last line of the text names them."),
    ],
    find: findWhereShown("wiki", find),
    write: (io, batch) => writeEach(io, writer, batch),
    async read(io, ids) {
      await catalogOf(io).account();
      return Promise.all(
        ids.map(async (id) => {
          const row = await askById(io, id);
          return row ? toRecord(io, parsePageId(id)?.projectId ?? "", row, "copy") : null;
        }),
      );
    },
    isUntouched: async (io, ids) => {
      await catalogOf(io).account();
      const rows = await Promise.all(ids.map((id) => askById(io, id)));
      return rows.map((row) => isSealed(row?.text, null));
    },
    remove: (io, what) =>
      removeEach(io, what, async (id, key) => {
        const place = parsePageId(id);
        const row = await askById(io, id);
        if (!place || !row) return gone;
        if (splitOrigin(row.text)?.key !== key) return otherKey;
        // Redmine moves the subpages up one level.
        await send(io, {
          url: `${pageUrl(place.projectId, place.title)}.json`,
          method: "DELETE",
          accept: [404],
        });
        return gone;
      }),
    urlOf: ({ instanceUrl }, { id }) => {
      const place = parsePageId(id);
      return `${instanceUrl.replace(/\/+$/, "")}/${place ? pageUrl(place.projectId, place.title) : ""}`;
    },
  };
};

const reasons: Reasons = {
  title: "Redmine builds the page's address from it: no , . / ? ; | : and unique in a project.",
  body: "Links now lead to the copies, Redmine uses another text format, or a mention would have sent a mail.",
  author: "The person has no account that can write pages there; the last line names them.",
  customFields: "Redmine's pages have no custom fields; the last line of the text holds the value.",
};

export const wikiPageCopies = pages<WikiPage>({
  stream: projects.wikiPages,
  reasons: { ...reasons, parentPageId: "A page's parent must be in the same project." },
  projectOf: async (_io, { projectId }) => projectId,
  parentOf: ({ parentPageId }) => parentPageId,
  also: () => ({}),
  toRecord: toWikiPage,
});

export const articleCopies = pages<Article>({
  stream: helpdesk.articles,
  reasons: {
    ...reasons,
    path: "All articles are pages of one project; the last line of the text names the categories.",
    state: "Everyone who sees the project sees its pages; the last line names the state.",
    locale: "Redmine's pages have no language; the last line of the text names it.",
    position: "Redmine sorts pages by title.",
  },
  projectOf: (io) => defaultProject(io),
  parentOf: () => null,
  also: ({ path, state, locale }) => ({
    Category: path.join(" / ") || null,
    State: state === "published" ? null : state,
    Language: locale,
  }),
  toRecord: async (io, projectId, row, view) =>
    toArticle(io, projectId, row, await pageHeads(io, projectId), view),
});
