import type { RichText } from "@portage/connector-kit";
import type { Row, Store } from "../store/store.ts";
import { idsPage, type Named } from "../store/store-pages.ts";
import { attachmentList } from "./attachments.ts";
import { type Html, html } from "./html.ts";
import { customProperties, properties, provenance, tagList, when, who } from "./parts.ts";
import { richText } from "./rich-text.ts";

export const articlesPage = (store: Store, after: number): Html => {
  const { ids, next } = idsPage(store.database, "articles", after, 100);
  const rows = ids.map((id) => store.get("articles", id)).filter((row) => row !== null);
  if (rows.length === 0) return html`<h1>Articles</h1><p class="empty">No articles here.</p>`;
  return html`<h1>Articles</h1>
<ul class="groups">${rows.map(
    ({ id, values }) =>
      html`<li><a href="/articles/${id}"><bdi>${String(values.title) || "(no title)"}</bdi></a> <span class="quiet"><bdi>${(
        values.path as string[]
      ).join(" › ")}</bdi> ${String(values.state)}</span></li>`,
  )}</ul>${next && html`<p class="more"><a href="/articles?after=${next}">More</a></p>`}`;
};

export const articlePage = (store: Store, row: Row): Html => {
  const { values } = row;
  return html`<p class="crumb"><a href="/articles">Articles</a></p>
<h1><bdi>${String(values.title) || "(no title)"}</bdi></h1>
<div class="columns"><article class="thread">${richText(values.body as RichText)}${attachmentList(store, "articles", row.id)}</article>
<aside aria-label="About this article"><section class="card" aria-labelledby="details"><h2 id="details">Details</h2>
${properties([
  ["By", who(store, values.author as Named | null)],
  ["Made", when(values.createdAt)],
  ["State", String(values.state)],
  ["Language", (values.locale as string | null) ?? null],
  ...customProperties(store, "articles", row),
])}${tagList(values.tags)}</section>${provenance(row)}</aside></div>`;
};
