import type { RichText } from "@portage/connector-kit";
import type { Row, Store } from "../store/store.ts";
import { idsOf, idsPage, type Named } from "../store/store-pages.ts";
import { attachmentList } from "./attachments.ts";
import { type Html, html } from "./html.ts";
import { customProperties, properties, provenance, tagList, when, who } from "./parts.ts";
import { richText } from "./rich-text.ts";

/** From the outermost category. A loop, which no tool should have, ends. */
const categoryPath = (store: Store, id: unknown): string | null => {
  const names: string[] = [];
  for (let at = id; typeof at === "string" && names.length < 20; ) {
    const row = store.get("articleCategories", at);
    if (!row) break;
    names.unshift(String(row.values.name));
    at = row.values.parentCategoryId;
  }
  return names.join(" › ") || null;
};

const translations = (store: Store, articleId: string): readonly Html[] =>
  idsOf(store.database, "articleTranslations", articleId).flatMap((id) => {
    const row = store.get("articleTranslations", id);
    if (!row) return [];
    const { locale, title, body } = row.values;
    return [
      html`<section lang="${String(locale)}"><h2><bdi>${String(title)}</bdi> <span class="quiet">${String(locale)}</span></h2>${richText(
        body as RichText,
      )}</section>`,
    ];
  });

const macroList = (store: Store): Html | null => {
  const { ids } = idsPage(store.database, "macros", 0, 100);
  const rows = ids.map((id) => store.get("macros", id)).filter((row) => row !== null);
  if (rows.length === 0) return null;
  return html`<h2>Canned answers</h2><ul class="groups">${rows.map(
    ({ values }) =>
      html`<li><bdi>${[...(values.path as string[]), String(values.name)].join(" › ")}</bdi>${
        values.active === true ? null : html` <span class="quiet">not in use</span>`
      }${richText(values.body as RichText)}</li>`,
  )}</ul>`;
};

export const articlesPage = (store: Store, after: number): Html => {
  const { ids, next } = idsPage(store.database, "articles", after, 100);
  const rows = ids.map((id) => store.get("articles", id)).filter((row) => row !== null);
  if (rows.length === 0)
    return html`<h1>Articles</h1><p class="empty">No articles here.</p>${macroList(store)}`;
  return html`<h1>Articles</h1>
<ul class="groups">${rows.map(
    ({ id, values }) =>
      html`<li><a href="/articles/${id}"><bdi>${String(values.title) || "(no title)"}</bdi></a> <span class="quiet"><bdi>${(
        values.path as string[]
      ).join(" › ")}</bdi> ${String(values.state)}</span></li>`,
  )}</ul>${next && html`<p class="more"><a href="/articles?after=${next}">More</a></p>`}${macroList(store)}`;
};

export const articlePage = (store: Store, row: Row): Html => {
  const { values } = row;
  return html`<p class="crumb"><a href="/articles">Articles</a></p>
<h1><bdi>${String(values.title) || "(no title)"}</bdi></h1>
<div class="columns"><article class="thread">${richText(values.body as RichText)}${attachmentList(store, "articles", row.id)}${translations(store, row.id)}</article>
<aside aria-label="About this article"><section class="card" aria-labelledby="details"><h2 id="details">Details</h2>
${properties([
  ["By", who(store, values.author as Named | null)],
  ["Made", when(values.createdAt)],
  ["State", String(values.state)],
  ["Category", categoryPath(store, values.categoryId)],
  ["Language", (values.locale as string | null) ?? null],
  ...customProperties(store, "articles", row),
])}${tagList(values.tags)}</section>${provenance(row)}</aside></div>`;
};
