import { helpdesk, listStream, once, type RecordOf } from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { askByField, askOne, numericIds } from "./ask.ts";
import { articleFields, customFieldsOf, valueRows, valuesOf } from "./custom-fields.ts";
import { fromRtTime } from "./moments.ts";
import { limitPages } from "./pages.ts";
import { personFields, personRow, whoOf } from "./people.ts";
import { richText } from "./references.ts";
import type { RtIo, RtSettings } from "./settings.ts";

export type Article = RecordOf<typeof helpdesk.articles>;

/** The field in which RT's built-in article class holds the text. */
export const bodyField = "Content";

const articleRow = z.object({
  id: z.coerce.number(),
  Name: z.string(),
  Summary: z.string().nullish(),
  Disabled: z.coerce.number().catch(0),
  SortOrder: z.coerce.number().catch(0),
  Class: z.object({ id: z.coerce.string() }),
  Creator: personRow.nullish(),
  Created: z.string().nullish(),
  LastUpdated: z.string().nullish(),
  CustomFields: valueRows,
});
export type ArticleRow = z.infer<typeof articleRow>;

export const articleQuestion = {
  path: "articles",
  row: articleRow,
  fields: Object.keys(articleRow.shape),
  nested: { Creator: personFields },
  disabledToo: true,
};

const classNameOf = once(async (io: RtIo, id: string) => {
  const row = await askOne(io, `class/${id}`, z.object({ Name: z.string() }));
  return row?.Name ?? id;
});

const looksLikeHtml = (text: string) => /<(p|div|br|b|strong|a|ul|ol|h[1-6])\b[^>]*>/i.test(text);

export const toArticle = async (row: ArticleRow, io: RtIo): Promise<Article> => {
  const body = row.CustomFields.find(({ name }) => name === bodyField)?.values[0];
  const text = typeof body === "string" ? body : "";
  return helpdesk.articles.make({
    id: String(row.id),
    createdAt: fromRtTime(row.Created),
    updatedAt: fromRtTime(row.LastUpdated),
    customFields: await valuesOf(io, articleFields, row.CustomFields, [bodyField]),
    title: row.Name,
    body: richText(io, looksLikeHtml(text) ? "html" : "plain", text, null),
    path: [await classNameOf(io, row.Class.id)],
    state: row.Disabled === 0 ? "published" : "archived",
    position: row.SortOrder === 0 ? null : row.SortOrder,
    author: await whoOf(io, row.Creator),
  });
};

export const askArticles = (io: RtIo, ids: readonly string[]): Promise<readonly ArticleRow[]> =>
  askByField(io, articleQuestion, "id", numericIds(ids));

/** All fields but the one with the text. */
export const articleCustomFields = async (io: RtIo) =>
  (await customFieldsOf(articleFields)(io)).filter(({ label }) => label !== bodyField);

export const articlesSource = listStream<ArticleRow, Article, RtSettings>({
  stream: helpdesk.articles,
  delta: true,
  pages: limitPages(articleQuestion, 50),
  key: ({ id }) => id,
  toRecord: toArticle,
  byIds: askArticles,
  urlOf: urlOf("articles"),
  customFields: articleCustomFields,
});
