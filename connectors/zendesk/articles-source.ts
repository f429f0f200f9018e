import {
  hasStatus,
  helpdesk,
  listStream,
  once,
  type RecordOf,
  recover,
  type SourceStream,
} from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { z } from "zod";
import { targetOf, urlOf } from "./addresses.ts";
import { askAll, askEach, dated, pagesOf, timesOf } from "./ask.ts";
import { whoOf } from "./people-source.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";

type Article = RecordOf<typeof helpdesk.articles>;

const articleRow = z.object({
  id: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  author_id: z.number().nullish(),
  section_id: z.number().nullish(),
  locale: z.string().nullish(),
  draft: z.boolean().nullish(),
  /** Who may see it: null, and an empty list, are everyone. */
  user_segment_id: z.number().nullish(),
  user_segment_ids: z.array(z.number()).nullish(),
  position: z.number().nullish(),
  label_names: z.array(z.string()).nullish(),
  ...dated,
});
type ArticleRow = z.infer<typeof articleRow>;

const placeRow = z.object({
  id: z.number(),
  name: z.string(),
  category_id: z.number().nullish(),
  parent_section_id: z.number().nullish(),
});

const placesOf = once(async (io: ZendeskIo, name: string) => {
  const rows = await askAll(io, { path: `help_center/${name}`, name, row: placeRow });
  return new Map(rows.map((row) => [row.id, row]));
});

const pathOf = async (io: ZendeskIo, sectionId: number | null | undefined): Promise<string[]> => {
  const sections = await placesOf(io, "sections");
  const path: string[] = [];
  let section = sections.get(sectionId ?? 0);
  const category = (await placesOf(io, "categories")).get(section?.category_id ?? 0);
  // A section in a section names the one above it; a depth that no help center has ends a circle.
  for (let depth = 0; section && depth < 10; depth += 1) {
    path.unshift(section.name);
    section = sections.get(section.parent_section_id ?? 0);
  }
  return category ? [category.name, ...path] : path;
};

/** Not everyone may see it: a copy that is published would show it to all. */
const isRestricted = ({ user_segment_id: one, user_segment_ids: several }: ArticleRow): boolean =>
  (one ?? null) !== null || (several ?? []).length > 0;

const toArticle = async (row: ArticleRow, io: ZendeskIo): Promise<Article> => {
  const [author, path] = await Promise.all([whoOf(io, row.author_id), pathOf(io, row.section_id)]);
  return helpdesk.articles.make({
    id: String(row.id),
    ...timesOf(row),
    tags: row.label_names ?? [],
    title: row.title,
    body: richTextOf("html", row.body ?? "", (url) => targetOf(io.settings, url)),
    path,
    state: row.draft === true || isRestricted(row) ? "draft" : "published",
    locale: row.locale ?? null,
    position: row.position ?? null,
    author,
  });
};

const all = pagesOf({ path: "help_center/articles", name: "articles", row: articleRow });

export const articlesSource = (): SourceStream<Article, ZendeskSettings> =>
  listStream<ArticleRow, Article, ZendeskSettings>({
    stream: helpdesk.articles,
    key: ({ id }) => id,
    toRecord: toArticle,
    // An account without a help center answers 404.
    pages: (rows) => (io, at) =>
      recover(all(rows)(io, at), hasStatus(404), () => ({ records: [], next: null })),
    cheaperByPages: true,
    byIds: (io, ids) => askEach(io, { path: "help_center/articles", name: "article", row: articleRow }, ids),
    urlOf: urlOf("articles"),
  });
