import { helpdesk, keysetPager, type RecordOf, type SourceStream } from "@portage/connector-kit";
import { z } from "zod";
import { askList, askOne, numericIds } from "./ask.ts";
import { articleFields, customFieldsOf, valueRows, valuesOf } from "./custom-fields.ts";
import { fromRtTime, toRtTime } from "./moments.ts";
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

const classNames = new WeakMap<object, Map<string, Promise<string>>>();

const classNameOf = (io: RtIo, id: string): Promise<string> => {
  const names = classNames.get(io.scope) ?? new Map<string, Promise<string>>();
  classNames.set(io.scope, names);
  const known =
    names.get(id) ?? askOne(io, `class/${id}`, z.object({ Name: z.string() })).then((row) => row?.Name ?? id);
  names.set(id, known);
  return known;
};

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
    body: richText(looksLikeHtml(text) ? "html" : "plain", text, io.settings.instanceUrl, null),
    path: [await classNameOf(io, row.Class.id)],
    state: row.Disabled === 0 ? "published" : "archived",
    position: row.SortOrder === 0 ? null : row.SortOrder,
    author: await whoOf(io, row.Creator),
  });
};

export const askArticles = async (io: RtIo, ids: readonly string[]): Promise<readonly ArticleRow[]> => {
  const wanted = numericIds(ids);
  if (wanted.length === 0) return [];
  const limits = wanted.map((value) => ({ field: "id", value }));
  return (await askList(io, { ...articleQuestion, limits })).rows;
};

export const articleUrl = ({ instanceUrl }: RtSettings, { id }: { readonly id: string }) =>
  `${instanceUrl.replace(/\/$/, "")}/Articles/Article/Display.html?id=${id}`;

export const articlesSource: SourceStream<Article, RtSettings> = {
  stream: helpdesk.articles,
  delta: true,
  readPage: keysetPager({
    size: 50,
    key: ({ id }: ArticleRow) => id,
    toRecord: toArticle,
    async fetch(io, { since }, { after, size }) {
      const limits = [
        { field: "id", operator: ">", value: Number(after ?? 0) },
        ...(since ? [{ field: "LastUpdated", operator: ">=", value: toRtTime(since) }] : []),
      ];
      return (await askList(io, { ...articleQuestion, limits, size })).rows;
    },
  }),
  readByIds: async (io, ids) => Promise.all((await askArticles(io, ids)).map((row) => toArticle(row, io))),
  urlOf: articleUrl,
  customFields: async (io) =>
    (await customFieldsOf(articleFields)(io)).filter(({ label }) => label !== bodyField),
};
